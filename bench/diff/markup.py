"""HTML and SVG as text: what is put between tags or into attributes is escaped, unless it is Markup already."""

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

# Elements that have no end tag.
_VOID = frozenset({"meta", "br"})


class Markup(str):
    """Text that is HTML, made by `tag` or `join`."""

    __slots__ = ()


Child: TypeAlias = str | int | Iterable["Child"] | None


def join(children: Iterable[Child]) -> Markup:
    """The children one after another. None is nothing; text and numbers are escaped."""
    return Markup("".join(map(_text, children)))


def tag(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """An element. `class_` is `class`, `data_x` is `data-x`; True is an attribute without value, None is none."""
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    start = f"<{name}{written}>"
    return Markup(start if name in _VOID else f"{start}{join(children)}</{name}>")


def _text(child: Child) -> str:
    if isinstance(child, Markup):
        return child
    if isinstance(child, str | int):
        return escape(str(child))
    return join(child or ())


def _attribute(key: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    shown = f"{value:.6g}" if isinstance(value, float) else str(value)
    return f' {name}="{escape(shown)}"'
