"""What changed between two states of a suite, by how much, out of how many, and why.

`states` reads a revision or the workspace, `compare` makes the comparison of `model`, `causes` splits a change into
its causes; `terminal`, `markdown`, `page` show it.
"""
