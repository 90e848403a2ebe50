"""evidence-bench: frozen, governed evidence-retrieval benchmarks. See docs/design.md for the contract."""

__version__ = "0.1.0"
