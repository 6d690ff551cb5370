"""The settings of the certified bounds."""

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from attnrank.minip.error_bound import fraction
from attnrank.settings import Count, Positive, Section, distinct

ErrorBound = Annotated[str, AfterValidator(fraction)]
Length = Annotated[int, Field(ge=3, le=300)]
CubeWidth = Annotated[int, Field(ge=3, le=12)]
# Half of it is the length of a code of minimum length 5, at most 128 bits.
GrowthWidth = Annotated[int, Field(ge=10, le=256, multiple_of=2)]
RealisedWidth = Annotated[int, Field(ge=1, le=15)]


class Profiles(Section):
    """The linear programs, one for each context length and gap."""

    longest: int = Field(ge=1, le=16, description="longest gap; longer ones are put together")
    inputs: Count = Field(description="most inputs of a chain, which limits the gap too")


class Cube(Section):
    """Every width and length, with greedy codes."""

    widths: Annotated[list[CubeWidth], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="m, bits of a token"
    )
    lengths: Annotated[list[Length], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="N, tokens of an input"
    )
    error: ErrorBound = Field(description="eps, a fraction")
    tries: Count = Field(description="orders in which words are taken for a greedy code")


class Growth(Section):
    """Three tokens, with linear codes of great width."""

    widths: Annotated[list[GrowthWidth], Field(min_length=3), AfterValidator(distinct)] = Field(
        description="m, bits of a token"
    )
    errors: Annotated[list[ErrorBound], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="eps, fractions"
    )
    countable: int = Field(
        ge=1, le=30, description="log2 of the most words of a code whose distances are counted"
    )


class Realisation(Section):
    """The exact 2^m features."""

    widths: Annotated[list[RealisedWidth], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="m, bits of a token"
    )
    beta: Positive = Field(description="inverse temperature of the softmax that is realised")


class Certify(Section):
    """The target results/certificates/NAME/certificate.parquet, from suites/NAME.parquet."""

    eps: ErrorBound = Field(description="error, a fraction")
    queries: Count = Field(description="most queries in the matrix, so the greatest bound")
    query: Literal["first", "last"] = Field(
        description="which token of a sequence is asked; last: causal"
    )
    positional: bool = Field(description="cover token maps that depend on the position too")


class Settings(Section):
    """Certified bounds against width and context length (paper B, chapter B5)."""

    profiles: Profiles = Field(description="the linear programs")
    cube: Cube = Field(description="every width and length")
    growth: Growth = Field(description="three tokens, great widths")
    realisation: Realisation = Field(description="the exact upper end")
    certify: Certify = Field(description="suites that a user brings")

    @model_validator(mode="after")
    def _provable(self) -> Self:
        for eps in (self.cube.error, *self.growth.errors):
            # A gap of 4 eps is the least that forces a ratio of 1 on three tokens.
            if 4 * Fraction(eps) > self.profiles.longest:
                raise ValueError(f"eps = {eps}: must be at most profiles.longest / 4")
        return self
