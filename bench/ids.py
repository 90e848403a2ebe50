"""Ids and the choices that hashes make: the same on every machine, and stable when rows move or labels change."""

import hashlib
import unicodedata


def digest(*parts: str) -> str:
    """sha256, in hex, of the parts joined by NUL."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def share(*parts: str) -> float:
    """A number in [0, 1) that depends on nothing but the parts."""
    return int(digest(*parts)[:13], 16) / 16**13


def normalise_question(text: str) -> str:
    """The form in which two questions are the same: NFKC, case folded, runs of blanks as one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def query_id(dataset: str, about: str, question: str) -> str:
    """`<dataset>:<source or conversation>:<8 hex of the normalised question>`."""
    return f"{dataset}:{about}:{hashlib.sha256(normalise_question(question).encode()).hexdigest()[:8]}"


def split(original_id: str, dev_share: float) -> str:
    """`dev` or `test`, by the hash of the original's query_id."""
    return "dev" if share(original_id) < dev_share else "test"
