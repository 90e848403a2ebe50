"""What the adapters of pictures share: the size of an image, read from its header alone."""

from io import BytesIO
from pathlib import Path
from typing import IO

from PIL import Image, UnidentifiedImageError

Size = tuple[int, int]


def image_size(image: Path | bytes | IO[bytes]) -> Size | None:
    """(width, height) in pixels as stored, without decoding a pixel. None where the bytes are no image."""
    try:
        with Image.open(BytesIO(image) if isinstance(image, bytes) else image) as opened:
            return opened.size
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError):
        return None
