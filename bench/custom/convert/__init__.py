"""`bench custom convert`: other layouts into corpus.jsonl, queries.jsonl and qrels/<split>.tsv.

Rows in are rows out: a fault of the data is carried over for `bench custom check` to name, and what cannot be carried
over ends the conversion with file and line. Nothing is guessed in silence: how each file was read is printed.
"""
