"""What asks in a docstring, and what does not."""

import pytest

from bench.upstream.docstrings import first_sentence, questions, unasked


@pytest.mark.parametrize(
    ("docstring", "sentence"),
    [
        ("Count the open doors.", "Count the open doors."),
        ("Count the open doors", "Count the open doors"),
        ("Count the open doors. Then close them.", "Count the open doors."),
        ("Count the open\n    doors of a house.\n\n    Slowly.", "Count the open doors of a house."),
        ("\n    Count the open doors\n\n    of a house.\n    ", "Count the open doors"),
        ("Count the doors\n    >>> doors()\n    3", "Count the doors"),
        (">>> doors()\n3", ""),
        ("Read house.doors in version 1.2 of the plan. Stop.", "Read house.doors in version 1.2 of the plan."),
        ("Take a part, e.g. a door, i.e. wood. Stop.", "Take a part, e.g. a door, i.e. wood."),
        ("Zähle die Türen. Schnell.", "Zähle die Türen."),
        ("  \n ", ""),
    ],
)
def test_the_first_sentence_is_the_summary(docstring: str, sentence: str) -> None:
    assert first_sentence(docstring) == sentence


@pytest.mark.parametrize(
    ("docstring", "reason"),
    [
        (None, "no_docstring"),
        (" \n\t", "no_docstring"),
        (">>> doors(of_a=1, big='house')\n3", "markup_only"),
        (".. deprecated:: 1.2\n   Use the other one instead.", "markup_only"),
        (":param house: the house whose doors are counted", "markup_only"),
        ("@param house the house whose doors are counted", "markup_only"),
        ("Parameters of the whole thing\n==========\nhouse", "markup_only"),
        ("-----\nand some more words here", "markup_only"),
        ("See the doors of the other house.", "refers_elsewhere"),
        ("Same as `doors`, but for the windows.", "refers_elsewhere"),
        ("Alias for the doors of a house.", "refers_elsewhere"),
        ("Docstring inherited from the parent class.", "refers_elsewhere"),
        ("{@inheritdoc} for all of the doors", "refers_elsewhere"),
        ("Count the doors.", "short_docstring"),
        ("Sum 1 + 2 doors.", "short_docstring"),
        ("Count the open doors.", None),
        ("Seek the open doors of a house.", None),
        (":func:`doors` counts the open doors.", None),
    ],
)
def test_a_docstring_asks_or_says_why_not(docstring: str | None, reason: str | None) -> None:
    assert unasked(docstring) == reason


def test_a_sentence_that_heads_several_functions_asks_for_none_of_them() -> None:
    asked = questions(
        {
            "a": "Count the open doors.",
            "b": "count  the OPEN doors.\n\nOf another house.",
            "c": "Count the open windows.",
            "d": "Count doors.",
            "e": "Count doors.",
        }
    )
    assert asked == {
        "a": ("Count the open doors.", "sentence_of_many_functions"),
        "b": ("count the OPEN doors.", "sentence_of_many_functions"),
        "c": ("Count the open windows.", None),
        "d": ("Count doors.", "short_docstring"),
        "e": ("Count doors.", "short_docstring"),
    }
