"""How the first sentence of a docstring becomes a query: shared by the adapters whose questions are docstrings.

A sentence asks when it describes one function in words. It does not, for these reasons, tried in this order:

no_docstring                there is none, or it is blank
markup_only                 it opens with a doctest, a reST directive, a field list, a `@tag` or an underlined heading
refers_elsewhere            it opens with `See`, `Same as`, `Alias for`, `Docstring inherited` or the like
short_docstring             its first sentence has under 4 words (runs of non-blanks that hold a letter)
sentence_of_many_functions  the same sentence, normalised as questions are, heads several functions of the holder
"""

import inspect
import re
from collections import Counter
from collections.abc import Mapping

from bench.ids import normalise_question

_MIN_WORDS = 4
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\n[ \t]*>>>")
_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)\.(?=\s|$)")
_MARKUP = re.compile(r">>>|\.\. |:[a-z]+(?: [^:\n]+)?:(?=\s|$)|@[a-z]+\s|(?:[^\n]+\n)?([=~^*+#-])\1{2,}[ \t]*(?:\n|$)")
_ELSEWHERE = re.compile(
    r"(?:see|same as|refer to|alias (?:for|of)|docstring inherited|inherit(?:s|ed)? (?:from|doc\w*))\b|\{?@?inheritdoc",
    re.IGNORECASE,
)
_WORD = re.compile(r"\S*[^\W\d_]\S*")


def first_sentence(docstring: str) -> str:
    """The summary of PEP 257, on one line and otherwise as written; empty where a doctest opens the docstring.

    It ends at the first full stop before a blank or the end (those of e.g., i.e., cf. and vs. aside), at the first
    blank line, or at the first line of a doctest.
    """
    paragraph = _PARAGRAPH_END.split("\n" + inspect.cleandoc(docstring), maxsplit=1)[0]
    end = _SENTENCE_END.search(paragraph)
    return " ".join((paragraph[: end.end()] if end else paragraph).split())


def unasked(docstring: str | None) -> str | None:
    """Why this docstring, looked at alone, does not ask; None where it does."""
    text = inspect.cleandoc(docstring or "").strip()
    if not text:
        return "no_docstring"
    if _MARKUP.match(text):
        return "markup_only"
    if _ELSEWHERE.match(text):
        return "refers_elsewhere"
    if len(_WORD.findall(first_sentence(text))) < _MIN_WORDS:
        return "short_docstring"
    return None


def questions(docstrings: Mapping[str, str | None]) -> dict[str, tuple[str, str | None]]:
    """For one holder's docstrings by function: {function: (first sentence, why it does not ask or None)}."""
    sentences = {key: first_sentence(text or "") for key, text in docstrings.items()}
    reasons = {key: unasked(text) for key, text in docstrings.items()}
    heads = Counter(normalise_question(sentences[key]) for key, reason in reasons.items() if reason is None)
    for key, sentence in sentences.items():
        if heads[normalise_question(sentence)] > 1:
            reasons[key] = reasons[key] or "sentence_of_many_functions"
    return {key: (sentence, reasons[key]) for key, sentence in sentences.items()}
