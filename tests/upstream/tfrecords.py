"""Writes TFRecord files of `tf.train.Example`, from the descriptions of the two formats. Used by tests."""

import struct

from bench.upstream.tfrecord import masked_crc


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number: int, payload: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def feature(values: list[bytes] | list[float] | list[int], packed: bool = True) -> bytes:
    if all(isinstance(value, bytes) for value in values):
        return field(1, b"".join(field(1, value) for value in values if isinstance(value, bytes)))
    if all(isinstance(value, float) for value in values):
        numbers = [struct.pack("<f", value) for value in values]
        return field(2, field(1, b"".join(numbers)) if packed else b"".join(b"\x0d" + each for each in numbers))
    whole = [varint(value) for value in values if isinstance(value, int)]
    return field(3, field(1, b"".join(whole)) if packed else b"".join(b"\x08" + each for each in whole))


def example(features: dict[str, bytes]) -> bytes:
    return field(1, b"".join(field(1, field(1, name.encode()) + field(2, each)) for name, each in features.items()))


def record(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc(length)) + data + struct.pack("<I", masked_crc(data))
