"""The settings of the chapter on dense softmax attention."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from attnrank.settings import Count, Positive, Section, distinct

_Lengths = Annotated[list[Annotated[int, Field(ge=2)]], Field(min_length=1)]
# The number of multisets of overlaps grows as (m + 1)^(N - 1): at these limits a second's work.
_FewTokens = Annotated[list[Annotated[int, Field(ge=2, le=8)]], Field(min_length=1)]
_CubeWidths = Annotated[list[Annotated[int, Field(ge=1, le=12)]], Field(min_length=1)]
_Widths = Annotated[list[Annotated[int, Field(ge=1, le=4096)]], Field(min_length=1)]
_ScoreWidths = Annotated[list[Annotated[int, Field(ge=2)]], Field(min_length=1)]
_Betas = Annotated[list[Positive], Field(min_length=1)]


class Grid(Section):
    """Inverse temperatures at even steps."""

    low: Positive = Field(description="the least")
    high: Positive = Field(description="the greatest")
    points: int = Field(ge=2, description="how many")

    @model_validator(mode="after")
    def _rises(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"low = {self.low}: must be below high = {self.high}")
        return self


class Exact(Section):
    """Scores -beta <x, z>, nothing learned."""

    widths: Annotated[_CubeWidths, AfterValidator(distinct)] = Field(
        description="m at which every input is answered"
    )
    lengths: Annotated[_FewTokens, AfterValidator(distinct)] = Field(
        description="N at which every input is answered"
    )
    far_widths: Annotated[_Widths, AfterValidator(distinct)] = Field(
        description="further m, by the closed form alone"
    )
    far_lengths: Annotated[_Lengths, AfterValidator(distinct)] = Field(
        description="further N, by the closed form alone"
    )
    betas: Annotated[_Betas, AfterValidator(distinct)] = Field(
        description="inverse temperatures at which the error is shown against m"
    )
    grid: Grid = Field(description="inverse temperatures against which the error is shown")

    @model_validator(mode="after")
    def _further(self) -> Self:
        for key in ("widths", "lengths"):
            near, far = getattr(self, key), getattr(self, f"far_{key}")
            wrong = [value for value in far if value <= max(near)]
            if wrong:
                raise ValueError(f"far_{key} = {wrong}: must be above those of {key}")
        return self


class Training(Section):
    """Heads of learned scores and read-out on random inputs of three tokens."""

    widths: Annotated[_ScoreWidths, AfterValidator(distinct)] = Field(
        description="m, bits of a token; one job for each"
    )
    seeds: Count = Field(description="seeds 0, 1, ... of the initialisation")
    steps: Count = Field(description="optimiser steps")
    batch: Count = Field(description="inputs of a step")
    pool: Count = Field(description="batches that are drawn once, then used in turn")
    score_rate: Positive = Field(description="Adam's greatest learning rate, for the scores")
    readout_rate: Positive = Field(description="the same for the read-out")
    init_scale: Positive = Field(description="standard deviation of the start, times m")
    final_exponent: float = Field(ge=2, description="p of the L_p loss at the end")
    warmup: Count = Field(description="steps over which the learning rate rises")
    test: Count = Field(description="fresh random inputs of the test")
    exhaustive_up_to: int = Field(
        ge=0, le=9, description="greatest m whose test is every input of the cube instead"
    )


class Settings(Section):
    """Dense softmax attention (paper B, chapter B3)."""

    exact: Exact = Field(description="errors and thresholds of the fixed head")
    training: Training = Field(description="trained heads")
