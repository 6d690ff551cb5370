"""The settings of the scaling."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from attnrank.settings import Count, Positive, Ranks, Section, distinct


class Training(Section):
    """Adam with warm-up and a cosine schedule on an L_p loss whose p grows from 2."""

    learning_rate: Positive = Field(description="Adam's greatest learning rate, for features")
    dense_rate: Positive = Field(description="the same for the scores of dense softmax")
    steps: Count = Field(description="optimiser steps")
    warmup: Count = Field(description="steps over which the learning rate rises")
    final_exponent: float = Field(ge=2, description="p at the end")
    inputs: Count = Field(description="inputs of a step, before test inputs are left out")


class Sequences(Training):
    """Disjoint train and test sequences over the same tokens, a table of features for each."""

    queries: Ranks = Field(description="n, query words; one scale for each")
    widths: Annotated[list[Count], Field(min_length=1)] = Field(
        description="m, bits of a token at each scale; even"
    )
    overlaps: Annotated[list[Count], Field(min_length=1)] = Field(
        description="greatest overlap of two queries at each scale"
    )
    train_share: float = Field(gt=0, lt=1, description="share of inputs for training")
    most_train: Count = Field(description="training inputs at most")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not len(self.queries) == len(self.widths) == len(self.overlaps):
            raise ValueError("queries, widths and overlaps must be equally many")
        odd = [width for width in self.widths if width % 2]
        if odd:
            raise ValueError(f"widths = {odd}: must be even")
        return self


class Codes(Training):
    """Disjoint codes: features are computed from the bits, and test tokens are new."""

    queries: Count = Field(description="n, query words of each code")
    width: Annotated[int, Field(ge=2, multiple_of=2)] = Field(description="m, bits of a token")
    overlap: Count = Field(description="greatest overlap of two queries of a code")
    codes: Count = Field(description="codes to train on")
    hidden: Count = Field(description="width of the hidden layer of the feature maps")


class Settings(Section):
    """Scaling out of distribution (paper B, chapter B4)."""

    ranks: Ranks = Field(description="r, features")
    keys: Annotated[int, Field(ge=2)] = Field(description="K, keys of a code")
    draws: Annotated[list[int], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="code draws"
    )
    seeds: Count = Field(description="seeds 0, 1, ... of the initialisation, on each draw")
    most_test: Count = Field(description="test inputs at most")
    sequences: Sequences = Field(description="new sequences")
    codes: Codes = Field(description="new codes")

    @model_validator(mode="after")
    def _keys(self) -> Self:
        most = max(*self.sequences.queries, self.codes.queries)
        if self.keys < most:
            raise ValueError(f"keys = {self.keys}: must be at least the queries, {most}")
        return self
