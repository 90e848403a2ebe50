"""Custom retrieval data sets: `bench custom check`, `convert` and `evaluate`; docs/custom.md states formats and rules.

A data set is a folder of corpus.jsonl, queries.jsonl, and judgements: qrels.jsonl, or BEIR's qrels/<split>.tsv. Files
are streamed: texts are not kept in memory, ids are.
"""
