"""bm25_unscoped: bm25 over everything, whoever asks and whenever. It leaks, and the twin measures must show it."""

import numpy as np
import numpy.typing as npt

from bench.records import Annotation
from bench.systems import bm25


class System(bm25.System):
    """See the module docstring."""

    def searched(self, query: Annotation) -> npt.NDArray[np.intp]:
        """All units."""
        return self._units.all()
