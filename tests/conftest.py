from pathlib import Path

import numpy as np
import pytest
import yaml

from attnrank.statistics import Interval

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture
def repository() -> Path:
    return REPOSITORY


@pytest.fixture
def config() -> dict:
    return yaml.safe_load((REPOSITORY / "config.yaml").read_text())


@pytest.fixture
def interval() -> Interval:
    return Interval(0.95, 500, np.random.default_rng(0))
