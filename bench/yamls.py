"""Reading the YAML that people write: params and registry entries."""

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.error import YAMLError

from bench.errors import BenchError


class _Plain(SafeConstructor):
    """Moments stay text, as in JSON, so that a schema sees what the person wrote."""


_Plain.add_constructor("tag:yaml.org,2002:timestamp", SafeConstructor.construct_yaml_str)


def read_yaml(path: Path, name: str) -> Any:
    """The document at `path`. BenchError, calling it `name`, where it is missing or no plain YAML.

    Tags are refused: they would build objects.
    """
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = _Plain
    try:
        return yaml.load(path)
    except FileNotFoundError:
        raise BenchError(f"{name} is missing") from None
    except (YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise BenchError(f"{name} is not valid YAML: {error}") from None
