"""Runs in other tools' formats: `read` them as scored docids, `convert` to and from a run, `write` TREC text.

A docid is `source_id#` and the JSON of the region, canonical when written: `locomo/conv-26/session_3#{"turn":7}`; a
hit over several regions has a list of them. An image may be named by its source_id alone.
"""
