"""Chapter A2, the ladder from the linear surrogate to a Transformer block, and its diagnosis."""

LADDER = config["ladder"]


rule ladder_data:
    input:
        code=code("ladder_data", "entropic.fixed_operator"),
    output:
        f"{RESULTS}/data/ladder/tasks.parquet",
    log:
        f"{RESULTS}/logs/ladder_data.log",
    benchmark:
        f"{RESULTS}/benchmarks/ladder_data.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        task=LADDER["task"],
        logit_scale=LADDER["logit_scale"],
    message:
        "Draw the ladder's operators and data"
    script:
        "../scripts/ladder_data.py"


rule ladder_train:
    input:
        data=rules.ladder_data.output[0],
        code=code("ladder_train", "entropic.ladder.train"),
    output:
        f"{RESULTS}/train/ladder/rank={{rank}}/measured.parquet",
    log:
        f"{RESULTS}/logs/ladder_train/rank={{rank}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/ladder_train/rank={{rank}}.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        training=LADDER["training"],
        test_inputs=LADDER["test_inputs"],
    message:
        "Train every rung of the ladder at rank {wildcards.rank}"
    script:
        "../scripts/ladder_train.py"


rule ladder_estimate:
    input:
        data=rules.ladder_data.output[0],
        trained=expand(rules.ladder_train.output[0], rank=LADDER["ranks"]),
        code=code("ladder_estimate", "entropic.ladder.estimate", "entropic.bounds"),
    output:
        runs=f"{RESULTS}/ranks/ladder.parquet",
        kernels=f"{RESULTS}/ranks/ladder_static_kernels.parquet",
    log:
        f"{RESULTS}/logs/ladder_estimate.log",
    benchmark:
        f"{RESULTS}/benchmarks/ladder_estimate.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        distinct_inputs=LADDER["distinct_inputs"],
    message:
        "Hold the ladder's students against exact floors"
    script:
        "../scripts/ladder_estimate.py"


for name in ["ladder_data", "ladder_estimate"]:
    BENCHMARKS[name] = [getattr(rules, name).benchmark]
BENCHMARKS["ladder_train"] = expand(rules.ladder_train.benchmark, rank=LADDER["ranks"])
