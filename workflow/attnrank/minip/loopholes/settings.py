"""The settings of the loopholes."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from attnrank.settings import Count, NonNegative, Positive, Ranks, Section, distinct


class Margins(Section):
    """Linear programs for features of either sign."""

    errors: Annotated[list[Positive], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="errors at which programs are solved; in bits"
    )
    tolerance: Positive = Field(description="to which the largest margin is found")


class Training(Section):
    """Adam with warm-up and a cosine schedule on an L_p loss whose p grows from 2."""

    learning_rate: Positive = Field(description="Adam's greatest learning rate")
    steps: Count = Field(description="optimiser steps, full batch")
    warmup: Count = Field(description="steps over which the learning rate rises")
    final_exponent: float = Field(ge=2, description="p at the end")


class Heads(Training):
    """Nonnegative heads whose answers are added up."""

    heads: Ranks = Field(description="H, numbers of heads")
    features: Ranks = Field(description="total features H r, for each H that divides them")
    most_bits: Count = Field(le=20, description="finest messages tried, bits for each number")


class Signed(Training):
    """One head with features of either sign."""

    features: Ranks = Field(description="r, features")
    margin: float = Field(
        gt=0, lt=1, description="least normaliser over sum |alpha|, held by a penalty"
    )
    penalty: NonNegative = Field(description="weight of the penalty")


class Settings(Section):
    """Loopholes: signed features and several heads (paper B, chapter B6)."""

    seeds: Count = Field(description="seeds 0, 1, ... of the initialisation")
    margins: Margins = Field(description="which ranks are possible with features of either sign")
    heads: Heads = Field(description="several heads, trained")
    signed: Signed = Field(description="signed features, trained")

    @model_validator(mode="after")
    def _divides(self) -> Self:
        idle = [h for h in self.heads.heads if all(f % h for f in self.heads.features)]
        if idle:
            raise ValueError(f"heads.heads = {idle}: divides none of heads.features")
        return self
