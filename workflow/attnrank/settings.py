"""The settings: Pydantic models are their source; errors are one message without a traceback."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

from attnrank.errors import AttnrankError
from attnrank.rooms import ROOMS, module
from attnrank.seeds import generator
from attnrank.statistics import Interval


class Section(BaseModel):
    """A part of the settings. Unknown keys are refused, and no value is converted in silence."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def distinct(values: list[Any]) -> list[Any]:
    """Refuse a value that stands twice: its job would be made twice."""
    repeated = sorted({value for value in values if values.count(value) > 1})
    if repeated:
        raise ValueError(f"every value once; repeated: {repeated}")
    return values


def above(key: str, ranks: Sequence[int], limit: int, limit_key: str) -> None:
    """Refuse a rank above the dimension that limits it.

    Raises:
        ValueError: names the key, the rank and the limit.
    """
    wrong = [rank for rank in ranks if rank > limit]
    if wrong:
        raise ValueError(f"{key} = {wrong}: must be at most {limit_key} = {limit}")


def _folder(text: str) -> str:
    if not re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)*", text, flags=re.ASCII):
        raise ValueError(
            "must be a folder below this one: letters, digits, _ . - and /, such as results/mine"
        )
    return text


Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NonNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Ranks = Annotated[list[Count], Field(min_length=1), AfterValidator(distinct)]


class Statistics(Section):
    """How the intervals of figures and claims are made."""

    confidence: float = Field(gt=0, lt=1, description="confidence level of every interval")
    resamples: int = Field(ge=100, description="bootstrap resamples")
    seed: int = Field(ge=0, description="seed of the bootstrap's generator")

    def interval(self, *stream: str) -> Interval:
        """Return how to make the intervals of one figure or claim, with a stream of its own."""
        return Interval(self.confidence, self.resamples, generator(self.seed, *stream))


class Common(Section):
    """What every experiment shares."""

    tier: Literal["full", "quick", "custom"] = Field(
        description="the name under which claims are reported: full is config.yaml as it stands"
    )
    results: Annotated[str, AfterValidator(_folder)] = Field(
        description="folder of all results, below the working directory"
    )
    device: Literal["cpu"] = Field(
        description="where training runs; these models are too small to gain from another device, "
        "and only the CPU gives the same bytes on each run"
    )
    statistics: Statistics = Field(description="how intervals are made")


def model() -> type[Common]:
    """Return the model of the whole settings: what is shared, and a section for each room."""
    sections: dict[str, Any] = {}
    for room in ROOMS:
        section = module(room, "settings").Settings
        sections[room.name] = (section, Field(description=section.__doc__.splitlines()[0]))
    return create_model("Settings", __base__=Common, **sections)


def typed(overrides: Any) -> Any:
    """Return overrides of the command line with their types: Snakemake reads all nested as text."""
    if isinstance(overrides, Mapping):
        return {key: typed(value) for key, value in overrides.items()}
    if isinstance(overrides, list | tuple):
        return [typed(value) for value in overrides]
    if not isinstance(overrides, str):
        return overrides
    try:
        value = yaml.safe_load(overrides)
        # YAML reads 1e-3, without a point, as text.
        return float(value) if isinstance(value, str) else value
    except (ValueError, yaml.YAMLError):
        return overrides


def check(config: Mapping[str, Any]) -> None:
    """Check the settings.

    Raises:
        AttnrankError: one message that lists each wrong key, its value and what is allowed.
    """
    try:
        model().model_validate(dict(config))
    except ValidationError as error:
        lines = "\n".join(f"  {_explain(item, config)}" for item in error.errors())
        raise AttnrankError(
            f"The settings are wrong, nothing was run:\n{lines}\n"
            "Every key is explained in docs/settings.md."
        ) from None


def _explain(error: Any, config: Mapping[str, Any]) -> str:
    """Return one line: the key, its value, and what is allowed."""
    where = ""
    for part in error["loc"]:
        where += f"[{part}]" if isinstance(part, int) else f".{part}" if where else str(part)
    if error["type"] == "extra_forbidden":
        known = _keys(error["loc"][:-1])
        near = difflib.get_close_matches(str(error["loc"][-1]), known, n=1)
        hint = f"did you mean '{near[0]}'? " if near else ""
        return f"{where}: unknown key; {hint}Allowed here: {', '.join(known)}"
    if error["type"] == "missing":
        return f"{where}: missing; it has no default"
    message = error["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    if error["type"] == "too_short":
        message = f"must have at least {error['ctx']['min_length']} entry"
    if error["type"] == "value_error" and isinstance(error["input"], Mapping):
        return f"{where}: {message}" if where else message
    if error["type"] == "model_type":
        message = f"must be a section with the keys {', '.join(_keys(error['loc']))}"
    return f"{where} = {error['input']!r}: {message}"


def _keys(path: tuple[Any, ...]) -> list[str]:
    """Return the keys allowed in the section at ``path``."""
    section: Any = model()
    for part in path:
        section = section.model_fields[part].annotation
    return list(section.model_fields)
