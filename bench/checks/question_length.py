"""A question has at most `validate.max_question_chars` characters."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E153"
NAME = "question_length"
REMEDY = "Look at the row: a question this long holds a document, or several questions run together."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each question that is too long."""
    most = contents.limits.max_question_chars
    for query in contents.queries:
        length = len(query.annotation.question)
        if length > most:
            yield query.finding(CODE, f"a question of {length} characters", f"at most {most}")
