"""The settings of the variants."""

from typing import Annotated

from pydantic import AfterValidator, Field

from attnrank.minip.variants.names import Variant
from attnrank.minip.witness.settings import ErrorBound, Optimiser
from attnrank.settings import Count, Ranks, Section, distinct


class Training(Optimiser):
    """How the variants' heads are trained."""

    seeds: Count = Field(description="seeds 0, 1, ... of the initialisation")
    warmup: Count = Field(description="steps over which the learning rate rises")


class Settings(Section):
    """Variants of the head on the witness suite (paper B, chapter B5b)."""

    variants: Annotated[list[Variant], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="what the head may do besides"
    )
    values: int = Field(ge=24, description="dimension of wide values")
    ranks: Ranks = Field(description="r, feature ranks of the heads; one job for each")
    errors: Annotated[list[ErrorBound], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="errors, as fractions, at each of which a certificate is made; in bits"
    )
    training: Training = Field(description="how heads are trained")
