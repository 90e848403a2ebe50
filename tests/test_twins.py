"""Derived unanswerables: what is made, what is refused and why."""

from msgspec import UNSET

from bench.normalize.twins import Owned, make_twins
from bench.records import Annotation, Gold, Origin, Scope, TwinOf

NOON = "2025-06-01T12:00:00Z"
ALL = {"other_holder": 1.0, "before_observation": 1.0}


def original(query_id="d:s:1", question="Where is it?", source="mine0", as_of=NOON, session=None):
    return Annotation(
        query_id=query_id, modality="pdf", question=question, answer="there", answer_format="str",
        gold=[Gold(source, {"page": 1})], scope=Scope("me", session, "x"), as_of=as_of, unanswerable=False,
        origin=Origin("d", "1", "i", "CC0-1.0"), split="dev",
    )  # fmt: skip


def sources(mine=6, yours=6, gold_at="2025-03-01T00:00:00Z", dataset="d"):
    owned = {f"mine{n}": Owned("me", "2025-01-01T00:00:00Z", "d") for n in range(mine)}
    owned |= {f"yours{n}": Owned("you", "2025-01-01T00:00:00Z", dataset) for n in range(yours)}
    return owned | {"mine0": Owned("me", gold_at, "d")}


def made(originals, owned, shares=ALL):
    return make_twins(originals, originals, owned, shares, 5)


def test_both_kinds_of_twin():
    twins = made([original(session="mine0")], sources())
    holder, before = sorted(twins.made, key=lambda twin: twin.query_id, reverse=True)
    assert (holder.query_id, before.query_id) == ("d:s:1~holder", "d:s:1~before")
    assert (holder.scope.holder, holder.as_of) == ("you", NOON)
    assert (before.scope.holder, before.as_of) == ("me", "2025-02-28T23:59:59Z")
    for twin, kind in ((holder, "other_holder"), (before, "before_observation")):
        assert twin.twin_of == TwinOf("d:s:1", kind)
        assert twin.unanswerable_class == kind
        assert (twin.gold, twin.answer, twin.answer_format) == ([], None, "none")
        assert (twin.scope.session, twin.split) == (None, "dev")
    assert original().twin_of is UNSET


def test_a_holder_who_sees_under_five_sources_is_not_asked():
    twins = made([original()], sources(mine=5, yours=4))
    assert twins.made == []
    assert twins.refused == {"d": {"other_holder:too_few_sources": 1, "before_observation:too_few_sources": 1}}


def test_a_question_whose_gold_the_other_holder_has_is_not_asked():
    theirs = original("d:t:2", question=" where IS it?", source="yours1")
    twins = made([original(), theirs], sources(), {"other_holder": 1.0})
    assert [twin.query_id for twin in twins.made if twin.query_id.startswith("d:s:1")] == []
    assert twins.refused["d"]["other_holder:gold_visible"] == 2 - len(twins.made)


def test_a_question_that_was_left_out_of_the_set_answers_all_the_same():
    theirs = original("d:t:2", source="yours1")
    twins = make_twins([original()], [original(), theirs], sources(), {"other_holder": 1.0}, 5)
    assert twins.made == []
    assert twins.refused["d"] == {"other_holder:gold_visible": 1}


def test_gold_observed_later_does_not_refuse():
    theirs = original("d:t:2", source="yours1")
    owned = sources() | {"yours1": Owned("you", "2025-12-01T00:00:00Z", "d")}
    twins = made([original(), theirs], owned, {"other_holder": 1.0})
    assert "d:s:1~holder" in {twin.query_id for twin in twins.made}


def test_a_dataset_of_one_holder_is_asked_by_another_of_the_modality():
    twins = made([original()], sources(dataset="e"), {"other_holder": 1.0})
    assert [twin.scope.holder for twin in twins.made] == ["you"]


def test_a_modality_of_one_holder_has_none_to_ask():
    twins = made([original()], sources(yours=0), {"other_holder": 1.0})
    assert twins.refused == {"d": {"other_holder:no_other_holder": 1}}


def test_only_the_stated_share_gets_twins():
    originals = [original(f"d:s:{number}", question=f"Question {number}?") for number in range(400)]
    twins = made(originals, sources(), {"other_holder": 0.25})
    assert 70 <= len(twins.made) <= 130
    assert made(originals, sources(), {"other_holder": 0.0}).made == []


def test_the_order_of_originals_does_not_matter():
    originals = [original(f"d:s:{number}", question=f"Question {number}?") for number in range(50)]
    forth, back = made(originals, sources()), made(originals[::-1], sources())
    assert sorted(forth.made, key=lambda twin: twin.query_id) == sorted(back.made, key=lambda twin: twin.query_id)
    assert forth.refused == back.refused
