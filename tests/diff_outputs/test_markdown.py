"""The comment on a pull request, read back by a Markdown parser."""

import re
from collections.abc import Iterator

import pytest
from comparisons import HOSTILE, comparison, flip, hostile, large, realistic, row
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bench.diff.escape import code, one_line, plain
from bench.diff.markdown import LIMIT, MARKER, render

ZERO_WIDTH_SPACE = "\N{ZERO WIDTH SPACE}"
OWN_TAGS = {"<details>", "</details>", "<summary>", "</summary>", "<br>", "<sub>", "</sub>", "<code>", "</code>"}


def parsed(text: str) -> list[Token]:
    """All tokens, those within lines too."""

    def walk(tokens: list[Token]) -> Iterator[Token]:
        for token in tokens:
            yield token
            yield from walk(token.children or [])

    return list(walk(MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)))


def seen(text: str) -> str:
    """What a reader sees of one line of Markdown."""
    tokens = parsed(text)
    return "".join(token.content for token in tokens if token.type in ("text", "text_special"))


class TestRealistic:
    text = render([realistic()])

    def test_begins_with_the_marker_and_the_plain_sentence(self) -> None:
        assert self.text.startswith(f"{MARKER}\n## evidence-bench: regressed\n")
        assert (
            "**recall&#64;10 of bm25 rose by 1.8 points: 0.6 from the system, 1.2 from 230 changed labels.**"
            in self.text
        )

    def test_a_change_of_six_modalities_fits_with_every_changed_row(self) -> None:
        assert len(self.text) <= LIMIT
        for block in ("rows of bm25", "changed rows of", "causes", "gates"):
            assert not re.search(rf"_\d+ (more )?{block}", self.text)

    def test_both_sides_stand_with_value_numerator_denominator_and_n(self) -> None:
        assert re.search(
            r"^\| recall&#64;10 \| 0\.410<br>41/100,&nbsp;n=100 \| 0\.398<br>39\.8/100,&nbsp;n=98"
            r" \| −0\.012<br>worse \|"
            r" −0\.024&nbsp;to&nbsp;\+0\.000004<br>p&nbsp;=&nbsp;0\.031 \| 3&nbsp;/&nbsp;1&nbsp;/&nbsp;96 \|$",
            self.text,
            re.MULTILINE,
        )

    def test_causes_stand_with_what_they_count(self) -> None:
        assert "| system<br>system changed | labels<br>labels changed |" in self.text
        assert "| −0.0120 | −0.0060&nbsp;(12) | −0.0120&nbsp;(12) | +0.0060&nbsp;(12) | 190 |" in self.text

    def test_labels_are_counted_by_kind_with_the_first_ids(self) -> None:
        assert "**Labels:** 40 relabelled, 1 reworded, 1 added" in self.text
        assert "<code>locomo:conv-26:00000013</code>" in self.text
        assert "<code>locomo:conv-26:00000014</code> | conversation | gold" not in self.text
        assert "_20 more relabelled queries: the report of this run holds all of them" in self.text
        assert "<code>mm:a:0001</code> → <code>mm:a:0002</code> | pdf | question: When? → Which year?" in self.text
        assert "before excluded: page&#95;zero" in self.text

    def test_new_removed_and_not_comparable_are_said_in_words(self) -> None:
        assert "| image | MRR | none | 0.250<br>50/200,&nbsp;n=198 | new |" in self.text
        assert "| video | false&#95;recall | 0.500<br>100/200,&nbsp;n=200 | none | removed |" in self.text
        assert "| not comparable (the measure is over other queries) |" in self.text

    def test_every_table_has_as_many_cells_in_a_row_as_columns(self) -> None:
        assert tables(self.text) > 5


def tables(text: str) -> int:
    """How many tables there are; each row must have as many cells as its header, counted before the parser evens it."""
    found = 0
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if re.fullmatch(r"\|( -+:? \|)+", line):
            found += 1
            columns = line.count("|")
            assert lines[number - 1].count("|") == columns
            for row_line in lines[number + 1 :]:
                if not row_line.startswith("|"):
                    break
                assert row_line.count("|") == columns, row_line
    return found


def test_what_did_not_change_stands_folded_with_its_n() -> None:
    text = render([comparison(rows=[row(0.5, 0.5)])])
    assert "<summary>bm25, dev: nothing changed in 1 row</summary>" in text
    assert "| recall&#64;10 | 0.500<br>100/200,&nbsp;n=200 | 0.500<br>100/200,&nbsp;n=198 | 0<br>same |  |  |" in text


class TestCut:
    @pytest.mark.parametrize("limit", [10_000, 20_000, LIMIT])
    @pytest.mark.parametrize("made", [realistic, large, hostile], ids=["realistic", "large", "hostile"])
    def test_never_longer_and_always_closed(self, made, limit: int) -> None:
        text = render([made()], limit)
        assert len(text) <= limit
        assert text.count("<details>") == text.count("</details>")
        assert tables(text)

    def test_two_thousand_rows_are_cut_with_a_count_of_the_rest(self) -> None:
        text = render([large()])
        shown = len(re.findall(r"^\| source-\d+ \|", text, re.MULTILINE))
        rest = int(re.search(r"_([\d,]+) more changed rows of bm25, dev by modality", text)[1].replace(",", ""))
        assert shown > 100
        assert shown + rest == 2_000
        assert "_2,000 rows in the full table: the report of this run holds all of them" in text
        assert "Of 2,000 rows, over all measures: 2,000 changed." in text

    def test_one_suite_does_not_crowd_out_another(self) -> None:
        text = render([large(), realistic()])
        assert "| recall&#64;10 | 0.410<br>" in text
        assert len(text) <= LIMIT

    def test_the_full_table_is_whole_or_absent(self) -> None:
        small = comparison(rows=[row(0.5, 0.5, modality=f"m{n}") for n in range(9)])
        assert len(re.findall(r"^\| bm25 \| m\d ", render([small]), re.MULTILINE)) == 9
        assert "rows in the full table" not in render([small])
        bare = len(render([small], 900))
        assert bare <= 900
        assert "_9 rows in the full table" in render([small], 900)

    def test_a_limit_under_the_sentences_is_an_error(self) -> None:
        with pytest.raises(ValueError, match=r"takes at least [\d,]+ characters, allowed: 300"):
            render([realistic()], 300)


class TestForeignText:
    def test_a_comment_of_hostile_texts_holds_no_link_image_or_foreign_tag(self) -> None:
        text = render([hostile()])
        tokens = parsed(text)
        assert {token.type for token in tokens} & {"link_open", "image", "fence", "code_block", "heading_open"} == {
            "heading_open"
        }
        tags = {
            tag for token in tokens if token.type.startswith("html") for tag in re.findall(r"<[^>]*>", token.content)
        }
        assert tags - {MARKER} <= OWN_TAGS
        assert text.count("\n#") == 2  # its own two headings
        assert tables(text) > 5

    def test_hostile_text_reads_as_it_is(self) -> None:
        assert seen(plain(HOSTILE)).replace(ZERO_WIDTH_SPACE, "") == one_line(HOSTILE)

    def test_nobody_is_mentioned_and_no_issue_is_linked(self) -> None:
        shown = seen(plain("@someone (@org/team) #12 GH-7 org/repo#3, recall@10"))
        z = ZERO_WIDTH_SPACE
        assert shown == f"@{z}someone (@{z}org/team) #{z}12 GH-{z}7 org/repo#{z}3, recall@10"

    def test_what_reorders_text_is_left_out(self) -> None:
        assert plain("a\u202eb\u2066c\x00d\te\r\nf") == "abcd e f"

    @given(st.text())
    def test_any_text_is_one_text_in_one_cell(self, text: str) -> None:
        tokens = parsed(f"| a | b |\n| --- | --- |\n| x{plain(text)}x | {code(text)} |")
        assert [token.type for token in tokens].count("td_open") == 2
        inline = [token for token in tokens if token.type == "inline"][2]
        kinds = {token.type for token in inline.children}
        assert kinds <= {"text", "text_special"}
        shown = "".join(token.content for token in inline.children).replace(ZERO_WIDTH_SPACE, "")
        assert shown == f"x{one_line(text)}x".replace(ZERO_WIDTH_SPACE, "")

    def test_long_questions_are_shortened(self) -> None:
        text = render([comparison(flips=[flip(1, question="why " * 500, gold=["g"] * 9)])])
        assert "why why…" in text
        assert "<br>and 6 more" in text
