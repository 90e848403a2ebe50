"""MMLongBench-Doc: samples.json, whose seven fields are all strings, and documents/*.pdf.

Faults on purpose: page 0, a page beyond the end, printed labels in place of ordinals (night_bus_paper.pdf is labelled
from 401), a page listed twice, pages out of order, no pages, pages on an unanswerable row, a document not at hand, and
a number that does not parse.
"""

from bench.starter.generate.files import json_bytes, pdf_bytes, sections, text_blocks

_FIRST_LABEL = {"night_bus_paper.pdf": 401}
_TYPES = {
    "port_of_elmsund_2023.pdf": "Financial report",
    "brevo_kettle_guide.pdf": "Guidebook",
    "dunmere_bird_survey.pdf": "Research report / Introduction",
    "night_bus_paper.pdf": "Academic paper",
    "sourdough_workshop.pdf": "Tutorial/Workshop",
    "clockmakers_museum.pdf": "Brochure",
    "flood_plan_aldermoor.pdf": "Administration/Industry file",
    "solar_coop_handbook.pdf": "Guidebook",
    "lost_appendix.pdf": "Brochure",
}
# document, question, answer, evidence_pages, answer_format
_ANSWERABLE = (
    ("port_of_elmsund_2023", "How many more ship calls were there than in the year before?", "212", "[4]", "Int"),
    ("port_of_elmsund_2023", "Which cargo was the largest group after timber?", "grain", "[5]", "Str"),
    ("port_of_elmsund_2023", "What is the third ferry driven by?", "batteries", "[6]", "Str"),
    ("port_of_elmsund_2023", "What percentage of the employed people are women?", "31.7%", "[9]", "Float"),
    (
        "port_of_elmsund_2023",
        "By how many do the ship calls expected for 2024 exceed those of the year?",
        "86",
        "[4, 12]",
        "Int",
    ),
    ("brevo_kettle_guide", "At how many degrees should green tea be made?", "75", "[6]", "Int"),
    ("brevo_kettle_guide", "What does a blinking red light mean?", "It was switched on without water", "[10]", "Str"),
    ("brevo_kettle_guide", "What attacks the seal when it is used against limescale?", "vinegar", "[9]", "Str"),
    ("brevo_kettle_guide", "Which parts may go in the dishwasher?", "['filter']", "[8]", "List"),
    ("dunmere_bird_survey", "By how many pairs did the lapwing decline since 1998?", "48", "[6]", "Int"),
    ("dunmere_bird_survey", "What share of the hectares of the wetland is reed?", "0.44", "[3]", "Float"),
    ("dunmere_bird_survey", "Why did the colony of gulls move from the old place?", "foxes", "[8]", "Str"),
    (
        "dunmere_bird_survey",
        "Which animals take eggs of waders, and what should be set up against them?",
        "['foxes', 'mink', 'a fence']",
        "[10, 11]",
        "List",
    ),
    ("night_bus_paper", "How far is Westfield hospital from the line?", "4", "[4]", "Int"),
    ("night_bus_paper", "By how many points did accepted late shifts rise at Westfield?", "3", "[7]", "Int"),
    ("night_bus_paper", "What does a ride on the line cost the town?", "4.20", "[9]", "Float"),
    (
        "sourdough_workshop",
        "How many grams of water less does spelt need than a loaf of wheat?",
        "30",
        "[4, 10]",
        "Int",
    ),
    ("sourdough_workshop", "How does one see that the starter is ready?", "A spoonful floats", "[3]", "Str"),
    ("sourdough_workshop", "For how many minutes is the loaf baked with and without lid?", "45", "[8, 8]", "Int"),
    ("clockmakers_museum", "Who built the first watch of the town?", "Hanna Friis", "[5]", "Str"),
    ("clockmakers_museum", "On which day is the museum open until late in the evening?", "Thursday", "[2]", "Str"),
    (
        "clockmakers_museum",
        "What does a child of a school class pay, and what is taken home?",
        "['2', 'a paper clock']",
        "[9]",
        "List",
    ),
    ("flood_plan_aldermoor", "From which level in metres are sandbags handed out?", "3.40", "[4, 6]", "Float"),
    ("flood_plan_aldermoor", "How many people can the sports hall and the grammar school take?", "650", "[8]", "Int"),
    (
        "flood_plan_aldermoor",
        "Within how many days must claims be made after the flood?",
        "within thirty days",
        "[11]",
        "Str",
    ),
    ("solar_coop_handbook", "Why was no dividend paid in one year?", "A burned inverter", "[7]", "Str"),
    ("solar_coop_handbook", "What is the most that a member can pay for shares?", "10,000", "[3]", "Int"),
    ("solar_coop_handbook", "In which weather may nobody go up on a roof?", "In rain or strong wind", "[9]", "Str"),
)
_NOT_ANSWERABLE = (
    ("port_of_elmsund_2023", "How many oil tankers called in the reporting year?", "[]"),
    ("port_of_elmsund_2023", "What did the ferry Silverhake cost?", "[6]"),
    ("port_of_elmsund_2023", "How many days did ice close the inner basin?", "[]"),
    ("brevo_kettle_guide", "In which country is the kettle made?", "[]"),
    ("brevo_kettle_guide", "How much does a spare carbon filter cost?", "[2]"),
    ("dunmere_bird_survey", "How many pairs of curlew bred in the meadows?", "[]"),
    ("dunmere_bird_survey", "How many pairs of osprey bred in 1998?", "[]"),
    ("dunmere_bird_survey", "Who paid for the rafts of the terns?", "[]"),
    ("night_bus_paper", "By how many points did shifts of bakers rise?", "[]"),
    ("night_bus_paper", "How many drivers does the night line employ?", "[]"),
    ("sourdough_workshop", "At what temperature is a rye tin baked?", "[]"),
    ("sourdough_workshop", "How much sugar does the dough for rolls take?", "[]"),
    ("clockmakers_museum", "How many visitors came last year?", "[]"),
    ("clockmakers_museum", "What does the oldest chronometer weigh?", "[]"),
    ("flood_plan_aldermoor", "How high was the flood of 1953?", "[]"),
    ("flood_plan_aldermoor", "How many sirens does the district have?", "[]"),
    ("flood_plan_aldermoor", "Who was mayor during the flood of 2014?", "[]"),
    ("solar_coop_handbook", "What dividend was paid in 2016?", "[]"),
    ("solar_coop_handbook", "Which firm installed the battery in the town hall?", "[]"),
)
_FAULTY = (
    ("port_of_elmsund_2023", "Who publishes the report?", "The harbour authority", "[0]", "Str"),
    ("brevo_kettle_guide", "How long are cable and warranty?", "['75 cm', '3 years']", "[1112]", "List"),
    ("night_bus_paper", "How many wards are there?", "39", "[406]", "Int"),
    ("sourdough_workshop", "What are the steps on Saturday?", "['mixing', 'shaping']", "[6, 4]", "List"),
    ("clockmakers_museum", "Is the museum worth a visit?", "Yes", "[]", "Str"),
    ("flood_plan_aldermoor", "Which plan was replaced?", "Not answerable", "[1]", "Str"),
    ("lost_appendix", "Which annex is the longest?", "Annex C", "[2]", "Str"),
)  # fmt: skip


def files() -> dict[str, bytes]:
    """The label file and the PDFs."""
    rows = [
        *(_row(*row) for row in _ANSWERABLE),
        *(_row(document, question, "Not answerable", pages, "None") for document, question, pages in _NOT_ANSWERABLE),
        *(_row(*row) for row in _FAULTY),
    ]
    documents = {
        f"documents/{name}": pdf_bytes(name.removesuffix(".pdf"), sections(body), _FIRST_LABEL.get(name))
        for name, body in text_blocks("documents")
    }
    return {"samples.json": json_bytes(rows, indent=4), **documents}


def _row(document: str, question: str, answer: str, pages: str, answer_format: str) -> dict[str, str]:
    return {
        "doc_id": f"{document}.pdf",
        "doc_type": _TYPES[f"{document}.pdf"],
        "question": question,
        "answer": answer,
        "evidence_pages": pages,
        "evidence_sources": "['Pure-text (Plain-text)']" if pages != "[]" else "[]",
        "answer_format": answer_format,
    }
