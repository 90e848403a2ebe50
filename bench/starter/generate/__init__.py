"""Writes the files of the starter suite: `python -m bench.starter.generate`.

One module a dataset, named as its adapter in bench/upstream, with a function `files()` that gives {path: bytes} in the
format that the dataset is released in. Longer texts are plain files in texts/. All content is made up for this project.
"""
