"""The names of the token feature maps, all nonnegative by construction."""

from typing import Literal, get_args

FeatureMap = Literal["exp_table", "softplus_table", "mlp"]
FEATURE_MAPS: tuple[str, ...] = get_args(FeatureMap)
