"""The page of a comparison: what it holds, and how it behaves in a browser."""

import html
import json
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest
from browser import Browser, framed, title, with_script
from comparisons import HOSTILE, comparison, flip, hostile, large, realistic, row, split

from bench.diff.charts import cause_chart, change_chart, scatter_chart
from bench.diff.model import Interval
from bench.diff.page import render

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    return Browser(tmp_path)


def svg(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(markup.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))


class TestContent:
    def test_loads_nothing_from_anywhere(self) -> None:
        page = render([realistic()])
        assert "default-src 'none'; style-src 'sha256-" in html.unescape(page)
        assert re.findall(r'(?:src|href|action)="(?!#)[^"]*"|url\(|@import|https?:', page) == []

    def test_every_value_stands_with_numerator_denominator_and_n(self) -> None:
        page = render([comparison(rows=[row(0.5, 0.75)])])
        assert '<span class="above">0.500</span><span class="below">100/200, n=200</span>' in page
        assert '<span class="above">0.750</span><span class="below">150/200, n=198</span>' in page

    def test_foreign_text_stays_text(self) -> None:
        page = render([hostile()])
        assert page.count("<script>") == 1
        assert "<script>document" not in page
        assert "</details></table>" not in page.replace("&lt;/details&gt;&lt;/table&gt;", "")

    def test_the_outcome_of_several_suites_is_the_worst(self) -> None:
        assert "<title>What changed: regressed</title>" in render([comparison(), realistic()])
        assert "<title>What changed: fine</title>" in render([comparison()])

    def test_an_empty_comparison_says_so(self) -> None:
        page = render([comparison()])
        assert "Nothing changed." in page
        assert "There are no rows to compare." in page

    def test_headings_descend_one_level_at_a_time(self) -> None:
        levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", render([realistic()]))]
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


class TestCharts:
    def test_the_parts_of_a_bar_reach_from_the_falling_to_the_rising_end(self) -> None:
        """Parts +0.03, +0.06, -0.03 of 0.06 on an axis of 0.12 each way: one left of 0, two right of it."""
        drawn = svg(cause_chart([split(0.06)], ["system", "labels", "interaction"], "recall@10"))
        bars = [(float(rect.get("x")), float(rect.get("width"))) for rect in drawn.iter(f"{SVG}rect")]
        (first, width), (second, twice), (falling, fallen) = bars
        assert second == pytest.approx(first + width, abs=0.01)
        assert twice == pytest.approx(2 * width, abs=0.01)
        assert falling + fallen == pytest.approx(first, abs=0.01)
        assert "system +0.0300, labels +0.0600, interaction −0.0300" in drawn.find(f"{SVG}desc").text

    def test_whiskers_are_the_interval_and_the_mark_tells_better_from_worse(self) -> None:
        rows = [
            row(0.5, 0.6, interval=Interval(-0.1, 0.2, 0.4)),
            row(0.5, 0.6, measure="false_recall", modality="pdf", interval=Interval(0.05, 0.2, 0.01)),
        ]
        drawn = svg(change_chart(rows, "recall@10"))
        assert [group.get("class") for group in drawn.iter(f"{SVG}g")] == ["better", "worse"]
        low, high = re.findall(r"[\d.]+", drawn.findall(f".//{SVG}path[@class='whisker']")[0].get("d"))[0::2]
        zero = float(re.findall(r"[\d.]+", drawn.find(f"{SVG}path[@class='zero']").get("d"))[0])
        assert (float(high) - zero) / (zero - float(low)) == pytest.approx(2, abs=0.02)

    def test_a_scatter_counts_queries_at_one_place(self) -> None:
        drawn = svg(scatter_chart([flip(1), flip(2), flip(3, old=1.0, new=0.5)], "recall@10"))
        assert [circle.get("class") for circle in drawn.iter(f"{SVG}circle")] == ["rose", "fell"]
        assert [text.text for text in drawn.findall(f".//{SVG}text[@class='in']")] == ["2"]
        assert "2 queries rose, above the diagonal; 1 fell" in drawn.find(f"{SVG}desc").text

    def test_rows_that_did_not_change_and_tiny_ones_are_drawn(self) -> None:
        drawn = svg(change_chart([row(0.5, 0.5), row(0.5, 0.5 + 1e-7, modality="pdf")], "MRR"))
        labels = [text.text for text in drawn.iter(f"{SVG}text")]
        assert "0, n=200→198" in labels
        assert not any(label in ("+0.000", "+0") for label in labels)


class TestInChromium:
    @pytest.mark.parametrize("made", [realistic, hostile], ids=["realistic", "hostile"])
    def test_a_phone_never_scrolls_sideways(self, browser: Browser, made) -> None:
        script = (
            "for (const fold of inner.document.querySelectorAll('details')) fold.open = true;"
            "document.title = [inner.innerWidth, inner.document.documentElement.scrollWidth].join()"
        )
        assert title(browser.dom(framed(render([made()]), 360, script))) == "360,360"

    def test_the_filter_shows_what_matches_and_counts_it(self, browser: Browser) -> None:
        script = """
            const form = document.querySelector('form');
            const said = [form.hidden, document.querySelector('[role=status]').textContent];
            const choose = (name, value) => {
              form.elements[name].value = value;
              form.elements[name].dispatchEvent(new Event('change', {bubbles: true}));
              const shown = [...document.querySelectorAll('.flips > li')].filter((entry) => entry.offsetHeight > 0);
              said.push(document.querySelector('[role=status]').textContent, shown.length);
            };
            choose('system', 'bm25'); choose('modality', 'pdf'); choose('result', 'lost'); choose('system', '');
            document.title = JSON.stringify(said);
        """
        said = json.loads(title(browser.dom(with_script(render([realistic()]), script))))
        assert said == [
            False, "96 of 96 shown", "48 of 96 shown", 48, "8 of 96 shown", 8, "4 of 96 shown", 4, "8 of 96 shown", 8,
        ]  # fmt: skip

    def test_its_own_script_runs_and_any_other_is_refused(self, browser: Browser) -> None:
        """With the policy in place: the filter is on, an added script and an added connection are not."""
        added = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">"
        dom = browser.dom(render([realistic()]).replace("</body>", f"{added}</body>"))
        assert title(dom) == "What changed: regressed"
        assert "hidden" not in re.search(r'<form class="filter"[^>]*>', dom)[0]

    def test_hostile_text_is_shown_and_not_run(self, browser: Browser) -> None:
        script = "document.title = JSON.stringify([document.title, document.querySelector('.headline').textContent])"
        was, said = json.loads(title(browser.dom(with_script(render([hostile()]), script))))
        assert was == "What changed: regressed"
        assert said == HOSTILE

    def test_everything_that_acts_is_reached_by_keyboard_and_has_a_name(self, browser: Browser) -> None:
        script = """
            const acting = [...document.querySelectorAll('a, summary, select, .scroll')];
            const unnamed = acting.filter((e) => !(e.textContent.trim() || e.labels?.length || e.ariaLabel));
            const unreached = acting.filter((e) => e.tabIndex < 0);
            for (const fold of document.querySelectorAll('details')) fold.open = true;
            const unseen = acting.filter((element) => {
              element.focus({focusVisible: true});
              return document.activeElement !== element || getComputedStyle(element).outlineStyle === 'none';
            });
            const first = document.querySelector('a, summary, select, [tabindex]');
            first.focus();
            document.title = JSON.stringify([acting.length, unnamed.length, unreached.length, unseen.length,
              first.textContent, document.querySelector(first.hash).tagName, first.getBoundingClientRect().left > 0]);
        """
        found = json.loads(title(browser.dom(with_script(render([realistic()]), script))))
        assert found[0] > 100
        assert found[1:] == [0, 0, 0, "Skip to the results", "MAIN", True]

    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    def test_every_text_stands_out_from_what_is_behind_it(self, browser: Browser, dark: bool) -> None:
        """WCAG 2's contrast of at least 4.5, of all texts on the page and within its plots."""
        script = """
            const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
            const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => v / 255)
                .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
            const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const behind = (e) => {
              const mark = e.matches('text.in') && e.parentNode.querySelector('rect, circle');
              if (mark) return rgb(getComputedStyle(mark).fill);
              for (; e; e = e.parentElement) {
                const colour = rgb(getComputedStyle(e).backgroundColor);
                if (colour.length === 3 || colour[3] > 0) return colour;
              }
            };
            const poor = new Map();
            for (const e of document.querySelectorAll('body *:not(script)')) {
              if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
              if (['title', 'desc', 'option'].includes(e.tagName)) continue;
              const style = getComputedStyle(e);
              const colour = rgb(e.namespaceURI.endsWith('svg') ? style.fill : style.color);
              const ratio = contrast(light(colour), light(behind(e)));
              if (ratio < 4.5) poor.set(e.tagName + '.' + e.getAttribute('class'), ratio.toFixed(2));
            }
            document.title = JSON.stringify([rgb(getComputedStyle(document.body).backgroundColor)[0] < 128, [...poor]]);
        """
        flags = ("--blink-settings=preferredColorScheme=0",) if dark else ()
        page = with_script(render([realistic()]), script)
        assert json.loads(title(browser.dom(page, *flags))) == [dark, []]

    def test_two_thousand_rows_are_drawn(self, browser: Browser) -> None:
        picture = browser.picture(render([large()]), 1280, 800)
        assert picture.startswith(b"\x89PNG")
        assert len(picture) > 20_000
