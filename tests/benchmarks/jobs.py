"""One job of the benchmark, as a process of its own: `python jobs.py JOB FOLDER`.

Every peer reads TREC text with its own reader and computes the cut-offs that `bench evaluate` reports. `read-*` only
reads the bytes of the file. Prints the mean of nDCG@10, so that one sees that the jobs agree.
"""

import sys
from pathlib import Path


def ours(qrels: Path, run: Path) -> float:
    """`bench evaluate`."""
    from bench.rankings.evaluate import evaluate

    return float(evaluate(qrels, run).measures["nDCG@10"]["value"])


def pytrec_eval(folder: Path) -> float:
    """pytrec_eval, with its parse_qrel and parse_run."""
    import pytrec_eval as peer

    with (folder / "qrels.trec").open() as file:
        qrels = peer.parse_qrel(file)
    with (folder / "run.trec").open() as file:
        run = peer.parse_run(file)
    asked = {"recall.1,3,5,10", "ndcg_cut.1,3,5,10", "P.1,3,5,10", "map_cut.1,3,5,10", "recip_rank"}
    scores = peer.RelevanceEvaluator(qrels, asked).evaluate(run)
    return sum(of_query["ndcg_cut_10"] for of_query in scores.values()) / len(qrels)


def ir_measures(folder: Path) -> float:
    """ir_measures, with its readers."""
    import ir_measures as peer

    measures = [peer.parse_measure(f"{name}@{k}") for name in ("R", "nDCG", "P", "AP") for k in (1, 3, 5, 10)]
    measures.append(peer.parse_measure("RR"))
    qrels, run = peer.read_trec_qrels(str(folder / "qrels.trec")), peer.read_trec_run(str(folder / "run.trec"))
    return float(peer.calc_aggregate(measures, qrels, run)[peer.parse_measure("nDCG@10")])


def ranx(folder: Path) -> float:
    """ranx, with its readers; numba's cache is warm from the second round on."""
    from ranx import Qrels, Run, evaluate

    qrels = Qrels.from_file(str(folder / "qrels.trec"), kind="trec")
    run = Run.from_file(str(folder / "run.trec"), kind="trec")
    names = [f"{name}@{k}" for name in ("recall", "ndcg", "precision", "map", "mrr") for k in (1, 3, 5, 10)]
    return float(evaluate(qrels, run, [*names, "mrr"])["ndcg@10"])


def read(path: Path) -> float:
    """The bytes of a file, in pieces."""
    with path.open("rb", buffering=0) as file:
        while file.read(1 << 20):
            pass
    return 0.0


SUFFIXES = {"trec": "trec", "jsonl": "jsonl", "columnar": "columnar.jsonl", "parquet": "parquet"}
PEERS = {"pytrec_eval": pytrec_eval, "ir_measures": ir_measures, "ranx": ranx}


def main(job: str, folder: Path) -> None:
    """Run `job` on the files of `folder`."""
    kind, _, form = job.partition("-")
    if kind == "ours":
        value = ours(folder / f"qrels.{SUFFIXES[form]}", folder / f"run.{SUFFIXES[form]}")
    elif kind == "read":
        value = read(folder / f"run.{SUFFIXES[form]}")
    else:
        value = PEERS[kind](folder)
    print(value)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
