"""How much rank does attention need? Every figure and every verdict of two papers."""


configfile: "config.yaml"


include: "workflow/rules/common.smk"


for room in ROOMS:

    include: f"workflow/rules/{room.name}.smk"


include: "workflow/rules/figures.smk"
include: "workflow/rules/claims.smk"


rule all:
    default_target: True
    input:
        expand(
            f"{RESULTS}/figs/{{figure}}.{{format}}",
            figure=FIGURES,
            format=["pdf", "png"],
        ),
        f"{RESULTS}/claims.parquet",
        f"{RESULTS}/claims.md",
        f"{RESULTS}/tables/costs.parquet",
    localrule: True
