"""Chapter B6, the loopholes: linear programs for signed features, heads, table, figure."""

LOOPHOLES = config["loopholes"]
LOOPHOLE_FAMILIES = ["heads", "signed"]


rule loopholes_margins:
    input:
        suite=rules.witness_suite.output[0],
        code=code("loopholes_margins", "minip.loopholes.dependency"),
    output:
        f"{RESULTS}/ranks/loopholes_margins.parquet",
    log:
        f"{RESULTS}/logs/loopholes_margins.log",
    benchmark:
        f"{RESULTS}/benchmarks/loopholes_margins.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        settings=LOOPHOLES["margins"],
    message:
        "Solve the linear programs of signed features"
    script:
        "../scripts/loopholes_margins.py"


rule loopholes_train:
    input:
        suite=rules.witness_suite.output[0],
        code=code("loopholes_train", "minip.loopholes.train", "minip.witness.inputs"),
    output:
        f"{RESULTS}/train/minip_loopholes/{{family}}.parquet",
    log:
        f"{RESULTS}/logs/loopholes_train/{{family}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/loopholes_train/{{family}}.tsv"
    wildcard_constraints:
        family="|".join(LOOPHOLE_FAMILIES),
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        seeds=LOOPHOLES["seeds"],
        settings=lambda wildcards: LOOPHOLES[wildcards.family],
    message:
        "Train the loopholes' {wildcards.family}"
    script:
        "../scripts/loopholes_train.py"


BENCHMARKS["loopholes_margins"] = [rules.loopholes_margins.benchmark]
BENCHMARKS["loopholes_train"] = expand(
    rules.loopholes_train.benchmark, family=LOOPHOLE_FAMILIES
)
