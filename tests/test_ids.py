"""Ids and hash choices are pinned: a change here would move every split."""

import pytest

from bench import ids


def test_questions_are_the_same_but_for_case_width_and_blanks():
    assert ids.normalise_question("  What\tIS  ＡＢＣ? ") == ids.normalise_question("what is abc?")


def test_a_query_id_depends_on_the_normalised_question():
    assert ids.query_id("d", "s", "Who?") == ids.query_id("d", "s", " who? ") == "d:s:1d8176d1"


def test_shares_are_spread_evenly():
    drawn = [ids.share(str(number)) for number in range(2000)]
    assert all(0 <= value < 1 for value in drawn)
    assert sum(value < 0.3 for value in drawn) / 2000 == pytest.approx(0.3, abs=0.04)


def test_split_is_by_share_of_the_id():
    assert ids.split("d:s:1d8176d1", 1.0) == "dev"
    assert ids.split("d:s:1d8176d1", 0.0) == "test"
