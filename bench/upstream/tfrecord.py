"""TFRecord files of `tf.train.Example`, read without TensorFlow.

A record is its length (8 bytes), a checksum of these, its bytes, and a checksum of those; all little-endian, the
checksums CRC-32C, masked. The bytes are a protobuf message {features: {name: bytes, floats or integers}}.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

from bench.errors import BenchError

Values = list[bytes] | list[float] | list[int]
Example = dict[str, Values]
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5
_BYTES_LIST, _FLOAT_LIST = 1, 2


def _table() -> tuple[int, ...]:
    values = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        values.append(value)
    return tuple(values)


_CRC = _table()


def masked_crc(data: bytes) -> int:
    """The CRC-32C of `data`, rotated and shifted as TFRecord stores it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def read_examples(path: Path) -> Iterator[Example]:
    """The examples of a file, one at a time. BenchError, with the record's number, where the file is cut or damaged."""
    with path.open("rb") as file:
        number = 0
        while head := file.read(12):
            try:
                length, crc = struct.unpack("<QI", head)
                if masked_crc(head[:8]) != crc:
                    raise ValueError("the checksum of its length does not fit")
                data, tail = file.read(length), file.read(4)
                if len(data) < length or struct.unpack("<I", tail)[0] != masked_crc(data):
                    raise ValueError("its checksum does not fit")
                example = parse_example(data)
            except (ValueError, IndexError, KeyError, struct.error) as error:
                raise BenchError(f"{path.name}: record {number} is no tf.train.Example: {error}") from None
            yield example
            number += 1


def parse_example(data: bytes) -> Example:
    """{name: values} of one message. ValueError, IndexError, KeyError or struct.error where it is none."""
    example: Example = {}
    for _, features in _fields(data):
        for _, entry in _fields(_bytes(features)):
            pair = dict(_fields(_bytes(entry)))
            example[_bytes(pair[1]).decode()] = _values(_bytes(pair[2]))
    return example


def _values(feature: bytes) -> Values:
    """The one list that a Feature holds; numbers may stand packed or one by one."""
    for kind, values in _fields(feature):
        items = [value for _, value in _fields(_bytes(values))]
        if kind == _BYTES_LIST:
            return [_bytes(item) for item in items]
        if kind == _FLOAT_LIST:
            return [number for item in items for (number,) in struct.iter_unpack("<f", _bytes(item))]
        return [_signed(number) for item in items for number in (_varints(item) if isinstance(item, bytes) else [item])]
    return []


def _fields(message: bytes) -> Iterator[tuple[int, bytes | int]]:
    """(field number, value) in order; a number of fixed width comes as its bytes."""
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        wire = key & 7
        if wire == _VARINT:
            number, position = _varint(message, position)
            yield key >> 3, number
            continue
        if wire == _LENGTH:
            size, position = _varint(message, position)
        elif wire in (_FOUR_BYTES, _EIGHT_BYTES):
            size = 4 if wire == _FOUR_BYTES else 8
        else:
            raise ValueError(f"wire type {wire} is not known")
        if position + size > len(message):
            raise ValueError("a field runs past its end")
        yield key >> 3, message[position : position + size]
        position += size


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position += 1
        shift += 7
        if byte < 0x80:
            return value, position


def _varints(data: bytes) -> Iterator[int]:
    position = 0
    while position < len(data):
        value, position = _varint(data, position)
        yield value


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _bytes(value: bytes | int) -> bytes:
    if isinstance(value, int):
        raise ValueError("a number stands where a message is expected")
    return value
