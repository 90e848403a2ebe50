"""MMLongBench-Doc (mayubo2333/MMLongBench-Doc): questions on long PDFs, with the pages that hold the evidence.

source      a PDF at hand, `<dataset>/<doc_id>`; unit and gold: a page, `{page}`, the 1-based ordinal of the PDF
query       a row of `labels` (samples.json, or the parquet of the hub), asked about its document (session)
holder, observed_at, as_of  assigned: upstream states none
scenario    doc_type, as a slug
unanswerable  answer `Not answerable` together with answer_format `None`; never the empty page list, which is another
            set. Pages on such a row are context, set aside as resolved.

Kept out, label faults before missing documents: `page_zero`; `page_beyond_document` (1418, a lost comma);
`printed_page_label` (numbers that are the PDF's printed labels: those beyond its end, and in a document that does this
also those in range whose label stands on another page); `pages_not_ascending` (a 16 among 22..29 is a slip for 26);
`mixed_numbering` (reported upstream, in range); `no_evidence_pages`; `malformed_pages` (no list of whole numbers);
`unanswerable_contradicts_format`; then `missing_document`. Resolved by rule: a page listed twice; answers that are not
in their format stay text.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows, literal_list, typed_answer

SCENARIOS = (
    "research_report_introduction",
    "academic_paper",
    "guidebook",
    "tutorial_workshop",
    "financial_report",
    "brochure",
    "administration_industry_file",
)
ASSIGNED = ("holder", "observed_at", "as_of")
# Reported with their threads and not to be found by a rule. The key is (beginning of doc_id, pages as written).
_REPORTED = {("698bba", "[7, 17]"): "mixed_numbering"}  # mayubo2333/MMLongBench-Doc#12


class Pdf(NamedTuple):
    """The texts of the pages, and {printed label: ordinal} where labels differ from ordinals."""

    texts: list[str]
    labels: dict[str, int]


def read(raw: Raw) -> Iterator[Record]:
    """Every PDF of documents/, then every row of the label file."""
    pdfs: dict[str, Pdf] = {}
    paths = sorted((raw.directory / "documents").glob("*.pdf"))
    yield Rows("document", len(paths))
    for path in paths:
        pdf = pdfs[path.name] = read_pdf(path)
        yield Document(
            source_id=f"{raw.dataset}/{path.name}",
            title=path.stem,
            extent={"pages": len(pdf.texts)},
            units=[({"page": number}, text) for number, text in enumerate(pdf.texts, 1)],
        )
    rows = _rows(raw, raw.options.get("labels", "samples.json"))
    yield Rows("question", len(rows))
    labelled = _documents_with_printed_labels(rows, pdfs)
    for number, row in enumerate(rows):
        yield from _question(raw.dataset, f"samples[{number}]", row, pdfs.get(row["doc_id"]), row["doc_id"] in labelled)


def read_pdf(path: Path) -> Pdf:
    """Text and labels of each page. Raises PdfiumError where the file is no PDF."""
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        texts: list[str] = []
        labels: dict[str, int] = {}
        for index in range(len(document)):
            page = document[index]
            # Pdfium writes CR LF, and U+FFFE for a hyphen at a line's end.
            text = page.get_textpage().get_text_bounded()
            texts.append(text.replace("\r\n", "\n").replace("\ufffe", "-").strip())
            if (label := document.get_page_label(index)) and label != str(index + 1):
                labels.setdefault(label, index + 1)
            page.close()
    return Pdf(texts, labels)


def _rows(raw: Raw, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]]
    if name.endswith(".parquet"):
        import pyarrow.parquet

        rows = pyarrow.parquet.read_table(raw.path(name)).to_pylist()
    else:
        rows = raw.json(name)
    return rows


def _unanswerable(row: dict[str, Any]) -> bool:
    return (row["answer"], row["answer_format"]) == ("Not answerable", "None")


def _documents_with_printed_labels(rows: list[dict[str, Any]], pdfs: dict[str, Pdf]) -> set[str]:
    """The documents in which some row cites a page beyond the end that is a printed label."""
    return {
        row["doc_id"]
        for row in rows
        if (pdf := pdfs.get(row["doc_id"])) and not _unanswerable(row)
        for page in literal_list(row["evidence_pages"]) or []
        if isinstance(page, int) and page > len(pdf.texts) and str(page) in pdf.labels
    }


def _page_fault(row: dict[str, Any], pages: list[Any] | None, pdf: Pdf | None, cites_labels: bool) -> str | None:
    if pages == []:
        return "no_evidence_pages"
    if pages is None or not all(isinstance(page, int) for page in pages):
        return "malformed_pages"
    if min(pages) < 1:
        return "page_zero"
    for (beginning, written), reason in _REPORTED.items():
        if row["doc_id"].startswith(beginning) and row["evidence_pages"] == written:
            return reason
    if pdf:
        if any(page > len(pdf.texts) and str(page) in pdf.labels for page in pages):
            return "printed_page_label"
        if max(pages) > len(pdf.texts):
            return "page_beyond_document"
        if cites_labels and any(pdf.labels.get(str(page), page) != page for page in pages):
            return "printed_page_label"
    if pages != sorted(pages):
        return "pages_not_ascending"
    return None


def _question(dataset: str, item: str, row: dict[str, Any], pdf: Pdf | None, cites_labels: bool) -> Iterator[Record]:
    unanswerable = _unanswerable(row)
    if not unanswerable and (row["answer"] == "Not answerable" or row["answer_format"] == "None"):
        detail = f"{row['answer']!r}, {row['answer_format']}"
        yield Excluded("question", item, "unanswerable_contradicts_format", detail)
        return
    written = literal_list(row["evidence_pages"])
    if not unanswerable and (fault := _page_fault(row, written, pdf, cites_labels)):
        yield Excluded("question", item, fault, f"{row['doc_id']} {row['evidence_pages']}")
        return
    pages = written or []
    if pdf is None:
        yield Excluded("question", item, "missing_document", f"{row['doc_id']} {row['evidence_pages']}")
        return
    answer, answer_format = None, "none"
    if unanswerable:
        if pages:
            yield Resolved(item, "pages_on_unanswerable", "evidence_pages", pages, [])
        pages = []
    else:
        answer, answer_format, resolved = typed_answer(item, row["answer"], row["answer_format"].lower())
        if resolved:
            yield resolved
        if len(set(pages)) < len(pages):
            yield Resolved(item, "page_listed_twice", "evidence_pages", pages, sorted(set(pages)))
    source_id = f"{dataset}/{row['doc_id']}"
    yield Question(
        item=item,
        about=row["doc_id"],
        question=row["question"],
        answer=answer,
        answer_format=answer_format,
        gold=[Gold(source_id, {"page": page}) for page in sorted(set(pages))],
        scenario="_".join(re.findall(r"[a-z]+", row["doc_type"].lower())),
        session=source_id,
        unanswerable=unanswerable,
    )
