"""Foreign text within Markdown: it is read as the text that it is, and links, mentions, tags and cells stay out."""

import re
import unicodedata

# What Markdown, GitHub's additions to it, HTML or a table cell could take for more than text.
_SPECIAL = re.compile(r"[&<>\"'\\`*_\[\]#|~@$]|:(?=/)|(?<=www)\.", re.IGNORECASE)
# GitHub finds mentions (@name) and issues (#1, GH-1) in the finished text, where an entity is what it stands for: a
# space of no width keeps those apart. `recall@10` is no mention, and stays as it is.
_MENTION = re.compile(r"(?<!\w)@(?=\w)|#(?=\d)|\bGH-(?=\d)", re.IGNORECASE)
_APART = "\N{ZERO WIDTH SPACE}"
# Characters that reorder what follows them, so that a text shows as another.
_REORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def plain(text: str) -> str:
    """`text` on one line, without control characters, as Markdown that shows exactly it."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", _MENTION.sub(rf"\g<0>{_APART}", one_line(text)))


def code(text: str) -> str:
    """The same in a fixed-width font. Not in backticks: a table cell cannot hold every text within those."""
    return f"<code>{plain(text)}</code>" if text else ""


def one_line(text: str) -> str:
    """Runs of white space as one blank, other control and reordering characters left out."""
    kept = (char for char in " ".join(text.split()) if unicodedata.category(char) not in ("Cc", "Cs"))
    return "".join(char for char in kept if char not in _REORDERING)


def shortened(text: str, characters: int) -> str:
    """At most `characters` of `text`, with an ellipsis where it is longer."""
    return text if len(text) <= characters else text[: characters - 1].rstrip() + "…"
