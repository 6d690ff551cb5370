"""Chapter A1, the linear surrogate: tasks, students, estimates, tables, figures."""

SURROGATE = config["surrogate"]
RECOVERY = SURROGATE["recovery"]
REGIMES = ["over_determined", "under_determined"]
# What a regime's data depend on, and what its training depends on besides.
TASK = ["tokens", "width", "samples", "labelled", "noise"]
DESCENT = ["learning_rate", "steps"]


rule surrogate_data:
    input:
        code=code("surrogate_data", "entropic.fixed_operator"),
    output:
        f"{RESULTS}/data/surrogate/tasks.parquet",
    log:
        f"{RESULTS}/logs/surrogate_data.log",
    benchmark:
        f"{RESULTS}/benchmarks/surrogate_data.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        task=SURROGATE["task"],
        r_star=SURROGATE["task"]["r_star"],
        seeds=SURROGATE["task"]["seeds"],
        stream="surrogate",
    message:
        "Draw the surrogate's teachers and data"
    script:
        "../scripts/surrogate_data.py"


rule surrogate_train:
    input:
        data=rules.surrogate_data.output[0],
        code=code("surrogate_train", "entropic.surrogate.train"),
    output:
        f"{RESULTS}/train/surrogate/rank={{rank}}/students.parquet",
    log:
        f"{RESULTS}/logs/surrogate_train/rank={{rank}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/surrogate_train/rank={{rank}}.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        training=SURROGATE["training"],
    message:
        "Train the surrogate's students of rank {wildcards.rank}"
    script:
        "../scripts/surrogate_train.py"


rule surrogate_estimate:
    input:
        data=rules.surrogate_data.output[0],
        students=expand(rules.surrogate_train.output[0], rank=SURROGATE["ranks"]),
        code=code(
            "surrogate_estimate", "entropic.surrogate.estimate", "entropic.bounds"
        ),
    output:
        f"{RESULTS}/ranks/surrogate.parquet",
    log:
        f"{RESULTS}/logs/surrogate_estimate.log",
    benchmark:
        f"{RESULTS}/benchmarks/surrogate_estimate.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        closed_form=SURROGATE["closed_form"],
    message:
        "Measure the surrogate's students"
    script:
        "../scripts/surrogate_estimate.py"


rule surrogate_recovery_data:
    input:
        code=code("surrogate_data", "entropic.fixed_operator"),
    output:
        f"{RESULTS}/data/surrogate_recovery/{{regime}}.parquet",
    log:
        f"{RESULTS}/logs/surrogate_recovery_data/{{regime}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/surrogate_recovery_data/{{regime}}.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        task=lambda wildcards: {key: RECOVERY[wildcards.regime][key] for key in TASK},
        r_star=SURROGATE["task"]["r_star"],
        seeds=SURROGATE["task"]["seeds"],
        stream="surrogate.recovery",
    message:
        "Draw the {wildcards.regime} tasks"
    script:
        "../scripts/surrogate_data.py"


rule surrogate_recovery_train:
    input:
        data=rules.surrogate_recovery_data.output[0],
        code=code("surrogate_recovery_train", "entropic.surrogate.train"),
    output:
        f"{RESULTS}/train/surrogate_recovery/{{regime}}/init_scale={{init_scale}}/students.parquet",
    log:
        f"{RESULTS}/logs/surrogate_recovery_train/{{regime}}/init_scale={{init_scale}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/surrogate_recovery_train/{{regime}}/init_scale={{init_scale}}.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        learn_value=lambda wildcards: RECOVERY[wildcards.regime]["learn_value"],
        training=lambda wildcards: {
            key: RECOVERY[wildcards.regime][key] for key in DESCENT
        },
    message:
        "Descend from scale {wildcards.init_scale}, {wildcards.regime}"
    script:
        "../scripts/surrogate_recovery_train.py"


rule surrogate_recovery_estimate:
    input:
        tasks=expand(rules.surrogate_recovery_data.output[0], regime=REGIMES),
        students=expand(
            rules.surrogate_recovery_train.output[0],
            regime=REGIMES,
            init_scale=RECOVERY["init_scales"],
        ),
        code=code("surrogate_recovery_estimate", "entropic.surrogate.estimate"),
    output:
        f"{RESULTS}/ranks/surrogate_recovery.parquet",
    log:
        f"{RESULTS}/logs/surrogate_recovery_estimate.log",
    benchmark:
        f"{RESULTS}/benchmarks/surrogate_recovery_estimate.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        least_nuclear=RECOVERY["least_nuclear"],
    message:
        "Measure the ranks that gradient descent found"
    script:
        "../scripts/surrogate_recovery_estimate.py"


for name in ["surrogate_data", "surrogate_estimate", "surrogate_recovery_estimate"]:
    BENCHMARKS[name] = [getattr(rules, name).benchmark]
BENCHMARKS["surrogate_train"] = expand(
    rules.surrogate_train.benchmark, rank=SURROGATE["ranks"]
)
BENCHMARKS["surrogate_recovery_data"] = expand(
    rules.surrogate_recovery_data.benchmark, regime=REGIMES
)
BENCHMARKS["surrogate_recovery_train"] = expand(
    rules.surrogate_recovery_train.benchmark,
    regime=REGIMES,
    init_scale=RECOVERY["init_scales"],
)
