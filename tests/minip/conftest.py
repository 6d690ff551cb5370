import numpy as np
import pandas as pd
import pytest

from attnrank.minip.witness.data import build_suite


def suite_table(**sizes) -> pd.DataFrame:
    suite = build_suite(**sizes)
    words = np.array(["".join(map(str, bits)) for bits in suite.tokens])
    return pd.DataFrame(
        {
            "sequence": np.arange(len(suite.sequences)),
            "kind": suite.kind,
            "query": suite.query,
            "key": suite.key,
            **{f"token_{k + 1}": words[suite.sequences[:, k]] for k in range(3)},
            "overlap_2": suite.levels[:, 0],
            "overlap_3": suite.levels[:, 1],
            "target": suite.targets,
        }
    )


@pytest.fixture(scope="session")
def suite_frame() -> pd.DataFrame:
    return suite_table()


@pytest.fixture(scope="session")
def small_frame() -> pd.DataFrame:
    return suite_table(queries=3, keys=3, order=8)
