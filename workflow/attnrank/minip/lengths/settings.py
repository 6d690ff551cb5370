"""The settings of the chapter on lengths."""

from typing import Annotated

from pydantic import AfterValidator, Field

from attnrank.settings import Count, Positive, Ranks, Section, distinct

# What is visited or solved grows as 2^(m N), 2^(m N) and m^(3 N - 2): these limits keep a job below
# 4 GB.
_Lengths = Annotated[list[Annotated[int, Field(ge=1, le=3)]], Field(min_length=1)]
_CubeWidths = Annotated[list[Annotated[int, Field(ge=1, le=12)]], Field(min_length=1)]
_TrainingWidths = Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=1)]
_ProgramWidths = Annotated[list[Annotated[int, Field(ge=1, le=16)]], Field(min_length=1)]


class Construction(Section):
    """The rank-1 construction, on every input of the cube."""

    widths: Annotated[_CubeWidths, AfterValidator(distinct)] = Field(
        description="m, bits of a token"
    )
    lengths: Annotated[_Lengths, AfterValidator(distinct)] = Field(
        description="N, tokens of an input, the query included"
    )


class Optimum(Section):
    """The least error of any head of rank 1, by linear programming."""

    widths: Annotated[_ProgramWidths, AfterValidator(distinct)] = Field(
        description="m, bits of a token"
    )
    lengths: Annotated[_Lengths, AfterValidator(distinct)] = Field(
        description="N, tokens of an input, the query included"
    )
    tolerance: Positive = Field(
        description="width of the bracket that bisection ends with, in bits"
    )


class Training(Section):
    """Heads trained on every input of the cube: Adam, L_p loss whose p grows from 2."""

    lengths: Annotated[_Lengths, AfterValidator(distinct)] = Field(
        description="N, tokens of an input; one job for each"
    )
    widths: Annotated[_TrainingWidths, AfterValidator(distinct)] = Field(
        description="m, bits of a token"
    )
    ranks: Ranks = Field(description="r, features of a head")
    seeds: Count = Field(description="seeds 0, 1, ... of the initialisation")
    learning_rate: Positive = Field(description="Adam's greatest learning rate, for features")
    readout_rate: Positive = Field(description="the same for the read-out")
    steps: Count = Field(description="optimiser steps, full batch")
    warmup: Count = Field(description="steps over which the learning rate rises")
    final_exponent: float = Field(ge=2, description="p at the end")


class Settings(Section):
    """Lengths 1, 2 and 3 (paper B, chapter B3)."""

    construction: Construction = Field(description="exact at lengths 1 and 2")
    optimum: Optimum = Field(description="what no head of rank 1 can beat")
    training: Training = Field(description="heads trained at each length")
