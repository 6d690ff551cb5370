"""The settings of the witness suite."""

from fractions import Fraction
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from attnrank.minip.error_bound import fraction
from attnrank.minip.feature_maps import FeatureMap
from attnrank.settings import Count, Positive, Ranks, Section, distinct


def _error_bound(text: str) -> str:
    # Targets differ by 6 at most, so from 3 on no pair of inputs tells two answers apart.
    if Fraction(fraction(text)) >= 3:
        raise ValueError("must be below 3")
    return text


ErrorBound = Annotated[str, AfterValidator(_error_bound)]


class Suite(Section):
    """The finite family of length-3 inputs."""

    queries: int = Field(ge=2, le=23, description="query words, at most as many as keys")
    keys: int = Field(ge=2, le=23, description="key words, complements of the first words")
    seed: int = Field(ge=0, description="seed of the bits that change along the chains")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.queries > self.keys:
            raise ValueError(f"queries = {self.queries}: must be at most keys = {self.keys}")
        return self


class Optimiser(Section):
    """Adam with warm-up and a cosine schedule on an L_p loss whose p grows from 2."""

    learning_rate: Positive = Field(description="Adam's greatest learning rate, for features")
    readout_rate: Positive = Field(description="the same for the read-out")
    steps: Count = Field(description="optimiser steps, full batch")
    final_exponent: float = Field(ge=2, description="p at the end")


class Mlp(Optimiser):
    """The same for the MLP feature map."""

    hidden: Count = Field(description="width of the hidden layer")


class Training(Section):
    """Heads trained on the suite."""

    seeds: Count = Field(description="seeds 0, 1, ... of the initialisation")
    warmup: Count = Field(description="steps over which the learning rate rises")
    tables: Optimiser = Field(description="heads with a table of features for each token")
    mlp: Mlp = Field(description="heads that compute features from the bits")


class Construction(Section):
    """The head of one feature less than there are queries."""

    slack: Positive = Field(description="relative distance from the certified error aimed at")
    mixing: Positive = Field(description="least weight between two keys of the same half")


class Settings(Section):
    """Witness suite (paper B, chapters B1 and B2)."""

    ranks: Ranks = Field(description="r, feature ranks of the heads; one job for each")
    feature_maps: Annotated[list[FeatureMap], Field(min_length=1), AfterValidator(distinct)] = (
        Field(description="how features are made from tokens; one job for each")
    )
    suite: Suite = Field(description="the inputs")
    errors: Annotated[list[ErrorBound], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="errors, as fractions, at each of which a certificate is made; in bits"
    )
    construction: Construction = Field(description="the head that shows the bound is tight")
    training: Training = Field(description="how heads are trained")
