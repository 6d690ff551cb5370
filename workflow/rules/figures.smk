"""The table and the picture of every figure, of whatever chapter."""


rule table:
    input:
        sources=figure_sources,
        code=figure_code("table", "table"),
    output:
        f"{RESULTS}/tables/{{figure}}.parquet",
    log:
        f"{RESULTS}/logs/table/{{figure}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/table/{{figure}}.tsv"
    wildcard_constraints:
        figure="|".join(FIGURES),
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        statistics=config["statistics"],
    message:
        "Compute the table of {wildcards.figure}"
    script:
        "../scripts/table.py"


rule figure:
    input:
        table=rules.table.output[0],
        code=figure_code("figure", "plot"),
    output:
        pdf=report(
            f"{RESULTS}/figs/{{figure}}.pdf",
            caption="../report/caption.rst",
            category="Figures",
        ),
        png=f"{RESULTS}/figs/{{figure}}.png",
    log:
        f"{RESULTS}/logs/figure/{{figure}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/figure/{{figure}}.tsv"
    wildcard_constraints:
        figure="|".join(FIGURES),
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        caption=figure_caption,
    message:
        "Draw {wildcards.figure}"
    script:
        "../scripts/figure.py"


for name in ["table", "figure"]:
    BENCHMARKS[name] = expand(getattr(rules, name).benchmark, figure=FIGURES)
