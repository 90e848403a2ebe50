"""Rankings of document ids held against graded judgements (qrels), as trec_eval has it: `bench evaluate`.

Runs and qrels are read from TREC text, JSON Lines or parquet (`bench.rankings.formats`), one query or one batch of
queries at a time, so that memory does not grow with the run. `docs/evaluate.md` states formats, rules and errors.
Regions of sources are judged elsewhere, in `bench.score`.
"""
