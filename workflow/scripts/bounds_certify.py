"""Prove one ratio for each overlap profile, and the bounds that follow for every code."""

from fractions import Fraction

import pandas as pd

from attnrank import tables
from attnrank.minip.bounds import estimate, schemas


def main(profiles_out, bounds_out, profiles, cube, growth):
    limits = {"inputs": profiles["inputs"], "longest": profiles["longest"]}
    found = estimate.proven(cube["lengths"], [cube["error"]], **limits)
    have = {(profile.length, str(profile.eps)) for profile in found}
    wanted = [eps for eps in growth["errors"] if (3, eps) not in have]
    found += estimate.proven([3], wanted, **limits)
    rows = estimate.cube(
        found, cube["widths"], cube["lengths"], Fraction(cube["error"]), cube["tries"]
    )
    for eps in growth["errors"]:
        rows += estimate.growth(found, growth["widths"], 3, Fraction(eps), growth["countable"])
    proven = pd.DataFrame(
        {
            "length": [profile.length for profile in found],
            "eps": [str(profile.eps) for profile in found],
            "gap": [profile.gap for profile in found],
            "inputs": [profile.inputs for profile in found],
            "ratio": [str(profile.ratio) for profile in found],
        }
    )
    settings = {"profiles": profiles, "cube": cube, "growth": growth}
    tables.write(profiles_out, proven, schemas.PROFILES, settings=settings, seeds=[])
    tables.write(bounds_out, pd.DataFrame(rows), schemas.BOUNDS, settings=settings, seeds=[])


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            profiles_out=snakemake.output.profiles,
            bounds_out=snakemake.output.bounds,
            profiles=snakemake.params.profiles,
            cube=snakemake.params.cube,
            growth=snakemake.params.growth,
        )
