"""`bench doctor`: whether dvc.lock, metrics, provenance and what lies on disk belong together.

`lock` reads dvc.lock and dvc.yaml, `hashes` computes DVC's hashes, `checks` holds them against each other, `rescore`
computes the scores anew, `run` puts it together. No network, nothing written.
"""
