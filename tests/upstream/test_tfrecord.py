"""TFRecord and tf.train.Example, against bytes put together here from the formats' descriptions."""

from pathlib import Path

import pytest
from tfrecords import example, feature, field, record

from bench.errors import BenchError
from bench.upstream.tfrecord import masked_crc, parse_example, read_examples


def test_the_checksum_is_crc32c() -> None:
    # The check value of CRC-32C is 0xE3069283; masking rotates it right by 15 and adds a constant.
    unmasked = (masked_crc(b"123456789") - 0xA282EAD8) & 0xFFFFFFFF
    assert (unmasked << 15 | unmasked >> 17) & 0xFFFFFFFF == 0xE3069283


@pytest.mark.parametrize("packed", [True, False])
def test_every_kind_of_value(packed: bool) -> None:
    data = example(
        {
            "words": feature([b"one", b"", b"two"]),
            "shares": feature([0.5, -1.25], packed),
            "counts": feature([0, 300, -2], packed),
            "nothing": b"",
        }
    )
    assert parse_example(data) == {
        "words": [b"one", b"", b"two"],
        "shares": [0.5, -1.25],
        "counts": [0, 300, -2],
        "nothing": [],
    }


def test_records_come_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "a.tfrecord"
    path.write_bytes(record(example({"n": feature([1])})) + record(example({"n": feature([2])})))
    assert [each["n"] for each in read_examples(path)] == [[1], [2]]


def damaged(data: bytes, position: int) -> bytes:
    return data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :]


GOOD = record(example({"n": feature([1])}))


@pytest.mark.parametrize(
    "second",
    [
        damaged(GOOD, 0),
        damaged(GOOD, 9),
        damaged(GOOD, 14),
        damaged(GOOD, len(GOOD) - 1),
        GOOD[:5],
        GOOD[:-6],
        GOOD[:-2],
        record(b"\x0a\x7f"),
        record(b"\x0b"),
        record(b"\x08\x01"),
        record(field(1, field(1, field(1, b"name without value")))),
    ],
)
def test_a_damaged_record_is_named(tmp_path: Path, second: bytes) -> None:
    path = tmp_path / "a.tfrecord"
    path.write_bytes(GOOD + second)
    examples = read_examples(path)
    assert next(examples) == {"n": [1]}
    with pytest.raises(BenchError, match=r"a\.tfrecord: record 1 is no tf\.train\.Example"):
        next(examples)
