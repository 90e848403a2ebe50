"""LoCoMo: locomo10.json, a corrected release of it, and the audit that says what was wrong.

Faults on purpose: no evidence, two ids in one string, a malformed id, an id of no turn, a zero-padded id, an id listed
twice, an adversarial row that also has an answer, and two wrong citations that the audit corrects.
"""

import re
from copy import deepcopy
from typing import Any

from bench.starter.generate.files import json_bytes, sections, text_blocks

_IMAGE = re.compile(r"(.*) \[image: (.*)\]")
# question, answer, evidence, category: 1 multi-hop, 2 temporal, 3 open domain, 4 single-hop, 5 adversarial (the trap)
_QA: dict[str, tuple[tuple[str, Any, list[str], int], ...]] = {
    "conv-a": (
        ("Which pet does Ines keep, and what became of its ear?", "A cat, half an ear is missing", ["D2:2"], 4),
        ("Why did Tomas take up running?", "His blood pressure was too high", ["D1:6"], 4),
        ("When did Tomas take part in the race around the lake?", "12 May 2024", ["D1:8", "D4:1"], 2),
        ("How many minutes above two hours did Tomas need?", 9, ["D4:1"], 4),
        ("Which trade does Ines want to learn?", "Restoring furniture", ["D3:3"], 4),
        ("How does Ines earn money while she learns?", "In the bakery on Saturdays", ["D3:5"], 4),
        ("From which wood is the box of Tomas's mother, and what was it fitted with?", "Walnut, brass hinges",
         ["D5:6", "D7:1"], 1),
        ("Who instructs Ines?", "Mr Abel", ["D5:3"], 4),
        ("When did the brother of Ines marry?", "October 2024", ["D6:5"], 2),
        ("Where did Ines and her brother sleep after their vessel let water in?", "A guest house", ["D6:2"], 4),
        ("Would Oda know what to do if Pepper fell ill?", "Yes, she is a vet", ["D6:7"], 3),
        ("What do Tomas and Oda plan instead of Lisbon?", "Walking the ridge path", ["D7:6"], 4),
        ("What hurt the knee of Tomas?", "A torn meniscus", ["D7:08"], 4),
        ("Which dog did Ines adopt from the shelter?", "A grey one", ["D2:2"], 5),
        ("What did Tomas carve in the course?", "A spoon", ["D5:1"], 5),
        ("When did Oda finish the half marathon?", "12 May", ["D4:1"], 5),
        ("What colour are the shoes that Tomas bought?", "Blue", ["D3:6; D2:8"], 4),
        ("Do Ines and Tomas like each other?", "Yes", [], 3),
    ),
    "conv-b": (
        ("How many pupils are allowed in the club, and how much may it spend?", "12 pupils, 300", ["D1:3"], 4),
        ("Why is Lena's record of measurements incomplete?", "A fox bit the cable through", ["D1:6", "D1:8"], 1),
        ("What did Noor put together in less than an hour?", "A line follower", ["D2:2"], 4),
        ("What was changed so that the bottles no longer fell?", "Silicone in place of wood", ["D4:4"], 4),
        ("When did the regional contest take place?", "27 May 2023", ["D3:1"], 2),
        ("How deep was the glacier where it is thickest?", "214 metres", ["D4:3"], 4),
        ("Which rank did the pupils reach?", "Second", ["D5:1", "D5:1"], 4),
        ("What did Lena defend against animals, and with which spice?", "Cables, chilli", ["D3:6"], 1),
        ("In which city will Lena work from January?", "Bergen", ["D6:7"], 4),
        ("When was Lena examined?", "20 October 2023", ["D6:3"], 2),
        ("Which gift did Lena get for the rainy city?", "A huge umbrella", ["D7:5"], 4),
        ("Why did Lena give up her bicycle?", "The hills are too steep", ["D7:6"], 4),
        ("Might Ravi still teach children?", "No, he is at the evening college", ["D6:4"], 3),
        ("Which prize did Lena's cheese win?", "Second place", ["D5:1"], 5),
        ("What did the fox do to Ravi's printers?", "It chewed the cable", ["D1:8"], 5),
        ("How long was Ravi at the south camp?", "Six weeks", ["D3:4"], 5),
        ("Who repaired the drill?", "Arne", ["D:4:1"], 4),
        ("How many pages has the thesis?", "186", ["D6:11"], 4),
    ),
    "conv-c": (
        ("How does Greta keep slugs off?", "Copper tape", ["D1:3"], 4),
        ("What will water cost after the vote?", "48", ["D2:1"], 4),
        ("Why should the price of water go up?", "The pump must be replaced", ["D1:7"], 4),
        ("What did Samuel grow where his crop had been eaten?", "Pumpkins", ["D1:2", "D2:5"], 1),
        ("Which vegetables were stolen, and by whom?", "Cabbages, by the tenant of plot 14", ["D3:1", "D4:1"], 1),
        ("Why is there no surveillance of the plots?", "The rules forbid it", ["D3:5"], 4),
        ("Who grew the best flower of the show?", "Mrs Varga", ["D4:6"], 4),
        ("How heavy were the harvested potatoes?", "34 kilos", ["D5:1"], 4),
        ("When is the party of the gardeners?", "26 October 2024", ["D5:8"], 2),
        ("Where does the window of the new hut come from?", "Greta's attic", ["D5:5"], 4),
        ("Who looks after Greta's beds in winter?", "Dario", ["D6:5"], 4),
        ("Which operation does Greta expect?", "A new hip", ["D6:3"], 4),
        ("Is Dario likely to be musical?", "Yes", ["D6:1"], 3),
        ("How many pumpkins did Greta sell?", "One, of 19 kilos", ["D5:6"], 5),
        ("Which instrument does Mrs Varga play?", "Accordion", ["D6:2"], 5),
        ("What did Samuel win at the autumn show?", "Second prize", ["D4:4"], 5),
        ("When was Samuel's hip replaced?", "December", ["D6:4"], 5),
    ),
}  # fmt: skip
# (conversation, row of qa, error_type, correct evidence)
_AUDIT = (
    ("conv-a", 11, "WRONG_CITATION", ["D7:6", "D7:8"]),
    ("conv-b", 17, "WRONG_CITATION", ["D6:1"]),
    ("conv-c", 12, "WRONG_CITATION", ["D6:1", "D6:2"]),
)


def files() -> dict[str, bytes]:
    """The release, the corrected release, and the list of errors that lies between them."""
    original = [_sample(*block) for block in text_blocks("locomo")]
    corrected = deepcopy(original)
    errors = []
    for conversation, row, kind, evidence in _AUDIT:
        number = list(_QA).index(conversation)
        qa = corrected[number]["qa"][row]
        errors.append(
            {
                "question_id": f"locomo_{number}_qa{row}",
                "question": qa["question"],
                "golden_answer": qa.get("answer"),
                "category": qa["category"],
                "error_type": kind,
                "cited_evidence": qa["evidence"],
                "correct_evidence": evidence,
                "reasoning": "The cited turns do not hold all that the answer needs.",
                "correct_answer": qa.get("answer"),
            }
        )
        qa["evidence"] = evidence
    return {
        "locomo10.json": json_bytes(original, indent=1),
        "corrected-by-dial481/locomo10.json": json_bytes(corrected, indent=1),
        "audit/errors.json": json_bytes(errors, indent=1),
    }


def _sample(heading: str, body: str) -> dict[str, Any]:
    conversation, one, two = heading.split(" | ")
    speakers = {one[0]: one, two[0]: two}
    content: dict[str, Any] = {"speaker_a": one, "speaker_b": two}
    for number, (moment, lines) in enumerate(sections(body), 1):
        content[f"session_{number}_date_time"] = moment
        content[f"session_{number}"] = [
            _turn(f"D{number}:{position}", speakers[line[0]], line[3:]) for position, line in enumerate(lines, 1)
        ]
    # Upstream also dates sessions that were never held.
    content[f"session_{number + 1}_date_time"] = "9:00 am on 31 December, 2024"
    return {"qa": [_qa(*row) for row in _QA[conversation]], "conversation": content, "sample_id": conversation}


def _turn(dia_id: str, speaker: str, text: str) -> dict[str, str]:
    turn = {"speaker": speaker, "dia_id": dia_id, "text": text}
    if image := _IMAGE.fullmatch(text):
        turn |= {"text": image[1], "blip_caption": image[2]}
    return turn


def _qa(question: str, answer: Any, evidence: list[str], category: int) -> dict[str, Any]:
    row: dict[str, Any] = {"question": question, "evidence": evidence, "category": category}
    if category != 5:
        return {**row, "answer": answer}
    if question.startswith("When was Samuel's hip"):
        row["answer"] = "No"  # two rows of upstream carry both
    return {**row, "adversarial_answer": answer}
