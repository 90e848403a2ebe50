"""`python -m bench.checks > docs/checks.md`: the table of checks."""

from bench.checks import table

for line in table():
    print(line)
