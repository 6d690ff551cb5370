"""The settings of the witness suite."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from attnrank.settings import Count, Positive, Section, distinct


def _error_bound(text: str) -> str:
    if not 0 < Fraction(text) < 3:
        raise ValueError("must be above 0 and below 3, where some ratio Lambda stays above 0")
    return text


ErrorBound = Annotated[
    str, Field(pattern=r"^[1-9][0-9]*/[1-9][0-9]*$"), AfterValidator(_error_bound)
]
FeatureMap = Literal["exp_table", "softplus_table", "mlp"]


class Suite(Section):
    """The finite family of length-3 inputs."""

    queries: int = Field(ge=2, le=12, description="query words, at most as many as keys")
    keys: int = Field(ge=2, le=23, description="key words, complements of the first words")
    seed: int = Field(ge=0, description="seed of the order in which chains swap their bits")


class Certificate(Section):
    """The lower bound on the feature rank."""

    errors: Annotated[list[ErrorBound], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="errors, as fractions, at each of which a certificate is made"
    )


class Training(Section):
    """Heads trained on the suite."""

    feature_maps: Annotated[list[FeatureMap], Field(min_length=1), AfterValidator(distinct)] = (
        Field(description="how token features are made")
    )
    seeds: Count = Field(description="seeds 0, 1, ... of the initialisation")


class Optimiser(Section):
    """Adam with warm-up and a cosine schedule on an L_p loss whose p grows."""

    learning_rate: Positive = Field(description="Adam's greatest learning rate")
    steps: Count = Field(description="optimiser steps, full batch")
    final_power: float = Field(ge=2, description="p of the L_p loss at the end; it starts at 2")


class Settings(Section):
    """Witness suite (paper B, chapters B1 and B2)."""
