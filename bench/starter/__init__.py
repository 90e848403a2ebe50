"""The starter suite's upstream files and, in `generate`, what writes them."""
