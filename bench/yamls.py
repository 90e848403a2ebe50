"""Reading the YAML that people write: params and registry entries.

libyaml, by PyYAML: a registry entry may list hundreds of files, and a pure-Python parser takes a second for them.
"""

from pathlib import Path
from typing import Any

import yaml

from bench.errors import BenchError


class _Plain(yaml.CSafeLoader):
    """Moments stay text, as in JSON, so that a schema sees what was written; a key that stands twice is refused."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        if twice := sorted({str(key) for key in keys if keys.count(key) > 1}):
            raise yaml.constructor.ConstructorError(None, None, f"key {twice[0]!r} stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


def _text(loader: Any, node: yaml.ScalarNode) -> str:
    return str(node.value)


_Plain.add_constructor("tag:yaml.org,2002:timestamp", _text)


def read_yaml(path: Path, name: str) -> Any:
    """The document at `path`. BenchError, calling it `name`, where it is missing or no plain YAML.

    Tags are refused: they would build objects.
    """
    try:
        with path.open("rb") as file:
            return yaml.load(file, _Plain)  # noqa: S506 - a safe loader
    except FileNotFoundError:
        raise BenchError(f"{name} is missing") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise BenchError(f"{name} is not valid YAML: {error}") from None
