"""The normalize stage: upstream rows into sets and corpora. `run` is the stage."""
