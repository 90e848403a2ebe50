"""Params and registry entries that people get wrong, and what they are told."""

import json

import pytest

from bench.errors import BenchError
from bench.suite import Suite
from bench.yamls import read_yaml
from suites import locomo, make_suite


def changed(folder, **changes):
    suite = make_suite(folder, locomo())
    params = json.loads((folder / "params.yaml").read_text()) | changes
    (folder / "params.yaml").write_text(json.dumps(params))
    return Suite(suite.directory)


def test_a_suite_is_a_directory(tmp_path):
    with pytest.raises(BenchError, match="is no suite: `--suite` takes a directory"):
        Suite(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sources": []}, r"\$\.sources: \[\] should be non-empty"),
        ({"surces": ["x"]}, "'surces' was unexpected"),
        ({"split": {"dev": "half"}}, r"\$\.split\.dev: 'half' is not of type 'number'"),
        ({"assign": {"epoch": "2025", "sources_per_holder": 20}}, r"\$\.assign\.epoch"),
        ({"assign": {"epoch": "2025-01-01T00:00:00Z", "sources_per_holder": 3}}, "3 is less than the minimum of 20"),
        ({"twins": {"other_holder": 1, "before_observation": 1, "min_other_sources": 1}}, "less than the minimum of 5"),
    ],
)
def test_params_are_held_against_their_schema(tmp_path, changes, message):
    with pytest.raises(BenchError, match=message):
        assert changed(tmp_path, **changes).params


def test_params_that_are_missing_or_broken(tmp_path):
    with pytest.raises(BenchError, match=r"params\.yaml is missing"):
        assert Suite(tmp_path).params
    (tmp_path / "params.yaml").write_text("a: [")
    with pytest.raises(BenchError, match=r"params\.yaml is not valid YAML"):
        assert Suite(tmp_path).params


def test_an_unknown_source_is_named_with_those_that_are_there(tmp_path):
    with pytest.raises(BenchError, match=r"source 'nobody' has no .*nobody\.yaml; .*locomo"):
        assert changed(tmp_path, sources=["nobody"]).sources


def test_a_source_listed_twice(tmp_path):
    with pytest.raises(BenchError, match="names locomo more than once"):
        assert changed(tmp_path, sources=["locomo", "locomo"]).sources


def test_two_sources_of_one_dataset_would_share_ids(tmp_path):
    with pytest.raises(BenchError, match="several sources of the suite are of dataset same"):
        make_suite(tmp_path, locomo("a", dataset="same"), locomo("b", dataset="same"))


def test_yaml_keeps_moments_as_text_and_refuses_tags_and_repeated_keys(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("at: 2025-01-01T00:00:00Z\n")
    assert read_yaml(path, "x") == {"at": "2025-01-01T00:00:00Z"}
    for text in ("a: 1\na: 2\n", "a: !!python/object/apply:os.system ['true']\n"):
        path.write_text(text)
        with pytest.raises(BenchError, match="x is not valid YAML"):
            read_yaml(path, "x")


def test_a_block_that_a_stage_needs_and_that_is_missing_is_a_sentence(tmp_path):
    make_suite(tmp_path, locomo())
    params = json.loads((tmp_path / "params.yaml").read_text())
    del params["assign"]
    (tmp_path / "params.yaml").write_text(json.dumps(params))
    with pytest.raises(BenchError, match="has no `assign`, which this stage needs"):
        assert Suite(tmp_path).params["assign"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"locomo": {"labls": "corrected"}}, "options of locomo has 'labls'; allowed: cap, labels"),
        ({"locomoo": {"labels": "corrected"}}, "options names 'locomoo', which is not among sources"),
    ],
)
def test_an_option_that_nobody_reads_is_refused(tmp_path, options, message):
    suite = make_suite(tmp_path, locomo(options={"labels": "original"}), options=options)
    with pytest.raises(BenchError, match=message):
        suite.options(suite.sources[0])
