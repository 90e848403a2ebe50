"""WebSRC: sites of web pages; a page is HTML whose tags carry a `tid`, a rect for each tag, a screenshot, and a title.

Faults on purpose: yes/no questions, an element that is not on its page, one without area, one below the screenshot, a
page that is missing, and a row without a question. As upstream, rects count from the web page's corner, not the
screenshot's, and the columns of dataset.csv differ in order from site to site.
"""

import html
from typing import Any, NamedTuple

from bench.starter.generate.files import csv_bytes, json_bytes, png_bytes

_ROOT = (100.5, 60)  # where the screenshot's corner lies on the web page, in pixels
_WIDTH, _LINE = 280, 22


class Site(NamedTuple):
    """`questions` ask for a field by its position; {} is the page's name. A table splits each field at its colon."""

    directory: str
    table: bool
    fields: tuple[str, ...]
    questions: tuple[tuple[int, str], ...]
    pages: tuple[tuple[str, ...], ...]  # name, then the values of the fields
    columns: tuple[str, ...]


_SITES = (
    Site(
        "auto/91", False,
        ("Length: {}", "Seats: {}", "Engine: {}", "Range: {}", "Boot volume: {}", "Warranty: {}"),
        ((0, "What is the length of this car?"), (3, "How many miles is the range of the {}?"),
         (4, "What volume has the boot of the {}?"), (2, "Which kind of engine does it have?"),
         (5, "For how many years does the warranty last?")),
        (("Lark 12", "152 in", "4", "electric, 68 hp", "210 miles", "9 cubic feet", "5 years"),
         ("Lark 16", "161 in", "5", "electric, 90 hp", "260 miles", "11 cubic feet", "5 years"),
         ("Lark Van", "188 in", "3", "diesel, 110 hp", "540 miles", "140 cubic feet", "4 years"),
         ("Moss", "149 in", "2", "petrol, 52 hp", "400 miles", "6 cubic feet", "3 years"),
         ("Moss Estate", "172 in", "5", "petrol, 84 hp", "430 miles", "21 cubic feet", "3 years"),
         ("Tern", "178 in", "5", "hybrid, 122 hp", "610 miles", "14 cubic feet", "6 years"),
         ("Tern Sport", "176 in", "4", "hybrid, 201 hp", "560 miles", "10 cubic feet", "6 years"),
         ("Granite", "201 in", "7", "diesel, 165 hp", "620 miles", "32 cubic feet", "4 years"),
         ("Granite Tow", "214 in", "5", "diesel, 190 hp", "590 miles", "55 cubic feet", "4 years"),
         ("Pebble", "118 in", "2", "electric, 20 hp", "70 miles", "3 cubic feet", "2 years")),
        ("question", "id", "element_id", "answer_start", "answer"),
    ),
    Site(
        "restaurant/92", False,
        ("Kitchen: {}", "Open until {}", "Terrace with {} seats", "Dish of the week: {}", "Closed on {}", "Call {}"),
        ((1, "Until when is this place open?"), (3, "What is the dish of the week at {}?"),
         (4, "On which day is {} closed?"), (2, "How many seats does the terrace have?"),
         (0, "Which cuisine does {} offer?")),
        (("Saffron Gate", "Persian", "22:30", "20", "lamb with plums", "Monday", "555 0101"),
         ("The Old Weir", "fish", "21:00", "46", "pike in butter", "Tuesday", "555 0102"),
         ("Nonna Pia", "Italian", "23:00", "12", "ravioli with nettles", "Sunday", "555 0103"),
         ("Green Door", "vegan", "20:30", "8", "beetroot steak", "Monday", "555 0104"),
         ("Harbour Grill", "grill", "00:30", "60", "ribs with corn", "Wednesday", "555 0105"),
         ("Bao House", "Taiwanese", "22:00", "14", "bao with duck", "Tuesday", "555 0106"),
         ("Mill Kitchen", "regional", "21:30", "30", "dumplings with leek", "Monday", "555 0107"),
         ("Casa Lume", "Portuguese", "23:30", "18", "cod with chickpeas", "Thursday", "555 0108"),
         ("Tandoor Lane", "Indian", "22:45", "10", "paneer with peas", "Wednesday", "555 0109"),
         ("Café Friis", "cakes", "18:00", "24", "almond tart", "Sunday", "555 0110")),
        ("id", "question", "answer", "element_id", "answer_start"),
    ),
    Site(
        "book/93", True,
        ("Author: written by {}", "House: published by {}", "Extent: {} pages", "Date: first appeared in {}",
         "Language: {}", "Price: {} crowns"),
        ((0, "By whom was this book written?"), (2, "How many pages has {}?"),
         (3, "When did {} appear for the first time?"),
         (1, "By which house was it published?"), (5, "How many crowns does a copy of {} cost?")),
        (("Dune Walkers", "Ada Brandt", "Two Owls", "312", "March 2019", "English", "14.00"),
         ("The Clock of Friis", "Jon Elder", "Old Town Press", "268", "May 2021", "English", "12.50"),
         ("Salt and Silence", "Mira Okoye", "Two Owls", "198", "June 2020", "English", "11.00"),
         ("A Year of Moss", "Lars Winge", "Fern Books", "144", "April 2018", "Danish", "19.00"),
         ("Night Trains", "Pilar Onnes", "Old Town Press", "410", "October 2022", "Spanish", "16.50"),
         ("Paper Cranes", "Yuki Hale", "Fern Books", "96", "January 2017", "English", "9.00"),
         ("The Last Ferry", "Tom Arden", "Quay House", "355", "August 2023", "English", "15.00"),
         ("Bread for Giants", "Ada Brandt", "Quay House", "224", "November 2021", "English", "13.00"),
         ("Small Rivers", "Noor Vance", "Two Owls", "176", "February 2016", "English", "10.50"),
         ("Letters from Holt", "Jon Elder", "Fern Books", "288", "September 2024", "English", "17.00")),
        ("question", "answer", "element_id", "answer_start", "id"),
    ),
    Site(
        "jobs/94", False,
        ("Pay: {} a month", "Place of work: {}", "Begins on {}", "You bring {}", "Hours: {} a week", "Apply to {}"),
        ((0, "What is the pay for a month?"), (3, "What should you bring as a {}?"),
         (2, "On which day does the job begin?"),
         (1, "At which place does the {} work?"), (5, "To whom does one apply?")),
        (("bridge keeper", "2,900", "Mill Bridge", "1 March", "a boat licence", "38", "Ms Dahl"),
         ("night nurse", "3,600", "Saint Brigid", "1 April", "a diploma in care", "32", "Mr Quist"),
         ("cheese maker", "2,700", "Holt dairy", "15 May", "patience and strong arms", "40", "Mrs Varga"),
         ("tram driver", "3,200", "Bell Street depot", "1 June", "a driving licence", "37", "Ms Amara"),
         ("web designer", "4,100", "at home", "1 July", "five years of practice", "35", "Mr Lund"),
         ("clock restorer", "2,800", "Clockmakers' House", "1 August", "steady hands", "30", "Ms Friis"),
         ("pilot of ships", "5,200", "Port of Elmsund", "1 September", "a master's certificate", "42", "Mr Berg"),
         ("school cook", "2,500", "grammar school", "20 August", "a love of vegetables", "28", "Mr Stone"),
         ("bird warden", "2,600", "Dunmere", "10 March", "good ears", "36", "Ms Reed"),
         ("roof fitter", "3,400", "Sunny Roofs", "1 May", "a head for heights", "40", "Mr Onnes")),
        ("question", "id", "element_id", "answer_start", "answer"),
    ),
)  # fmt: skip


class Element(NamedTuple):
    """A tag of a page with its text, and its place in the screenshot (x, y, width, height)."""

    tag: str
    text: str
    place: tuple[int, int, int, int]


def files() -> dict[str, bytes]:
    """Every site: its dataset.csv, and four files a page."""
    found: dict[str, bytes] = {}
    for site in _SITES:
        domain, number = site.directory.split("/")
        rows = []
        for position, (name, *values) in enumerate(site.pages):
            page = f"{number}{position + 1:05d}"
            elements = _elements(site, position)
            field, question = site.questions[position % len(site.questions)]
            answer = values[field]
            # In a table each field has two elements, its name and its value; both follow the heading and the summary.
            index = 2 + (2 * field + 1 if site.table else field)
            row = (question.format(name), f"{domain[:2]}{page}{position:05d}", index + 3, answer)
            rows.append((*row, elements[index].text.index(answer)))
            found |= {f"{site.directory}/processed_data/{page}.{kind}": data for kind, data in _page(name, elements)}
        rows += _faulty(domain[:2], number)
        names = ("question", "id", "element_id", "answer", "answer_start")
        table = [[dict(zip(names, row, strict=True))[column] for column in site.columns] for row in rows]
        found[f"{site.directory}/dataset.csv"] = csv_bytes([site.columns, *table])
    return found


def _faulty(domain: str, site: str) -> list[tuple[Any, ...]]:
    return {
        "au": [("Is the Lark 12 electric?", f"au{site}0000100090", -1, "yes", 1),
               ("Which colour does the Moss have?", f"au{site}0000400091", 77, "green", 0)],
        "re": [("Is there a car park?", f"re{site}0000200090", -1, "no", 0),
               ("Where is the imprint?", f"re{site}0000300091", 17, "Imprint", 0)],
        "bo": [("Who drew the cover?", f"bo{site}0009900090", 6, "nobody", 0),
               ("", f"bo{site}0000500091", 6, "Pilar Onnes", 0)],
        "jo": [("Who is the owner of the site?", f"jo{site}0000100090", 16, "Sponsored", 0)],
    }[domain]  # fmt: skip


def _elements(site: Site, position: int) -> list[Element]:
    name, *values = site.pages[position]
    other = site.pages[(position + 1) % len(site.pages)][0]
    elements = [
        Element("h1", name, (10, 6, 260, 24)),
        Element("p", f"All about {name}. You may also like {other}.", (10, 36, 260, 20)),
    ]
    for row, (field, value) in enumerate(zip(site.fields, values, strict=True)):
        y = 64 + _LINE * row
        text = field.format(value)
        if site.table:
            label, _, content = text.partition(": ")
            elements += [Element("th", label, (10, y, 90, 18)), Element("td", content, (110, y, 160, 18))]
        else:
            elements.append(Element("li", text, (10, y, 260, 18)))
    y = 70 + _LINE * len(values)
    links = ("Home", "News", "Map", "Help", f"All {site.directory.split('/')[0]} pages")
    return [
        *elements,
        *(Element("a", link, (10 + 40 * column, y, 36 + 60 * (column == 4), 16)) for column, link in enumerate(links)),
        Element("span", "Sponsored", (10, y, 0, 0)),
        Element("footer", "Imprint and terms", (10, y + 60, 260, 16)),  # below the screenshot
    ]


def _page(name: str, elements: list[Element]) -> list[tuple[str, bytes]]:
    height = elements[-1].place[1] - 30
    body = " ".join(
        f'<{tag} tid="{tid}"> {html.escape(text)} </{tag}>' for tid, (tag, text, _) in enumerate(elements, 3)
    )
    markup = f'<html tid="0"> <body tid="1"> <div id="main" tid="2"> {body} </div> </body> </html>'
    rects = {"2": _rect(0, 0, _WIDTH, height)} | {
        str(tid): _rect(*place) for tid, (*_, place) in enumerate(elements, 3)
    }
    shown = [(text, place) for _, text, place in elements if place[2] and place[1] < height]
    picture = png_bytes(
        (_WIDTH, height),
        [((x, y, x + width - 1, y + tall - 1), "lightgrey") for _, (x, y, width, tall) in shown],
        [(x + 2, y + 2, text) for text, (x, y, _, _) in shown],
    )
    return [
        ("html", markup.encode()),
        ("json", json_bytes(rects)),
        ("png", picture),
        ("txt", f"{name}\nhttps://example.org/{name.replace(' ', '-').lower()}\n".encode()),
    ]


def _rect(x: int, y: int, width: int, height: int) -> dict[str, Any]:
    return {"rect": {"height": height, "width": width, "x": x + _ROOT[0], "y": y + _ROOT[1]}}
