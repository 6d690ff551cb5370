"""Chapter A1, the linear surrogate: data, students, estimates, tables, figures."""

SURROGATE = config["surrogate"]


rule surrogate_data:
    message:
        "Draw the surrogate's teachers and data"
    input:
        code=code("surrogate_data", "entropic.surrogate.data"),
    output:
        f"{RESULTS}/data/surrogate/tasks.parquet",
    params:
        task=SURROGATE["task"],
        stream="surrogate",
    log:
        f"{RESULTS}/logs/surrogate_data.log",
    benchmark:
        f"{RESULTS}/benchmarks/surrogate_data.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    conda:
        "../../envs/analysis.yaml"
    script:
        "../scripts/surrogate_data.py"


rule surrogate_train:
    message:
        "Train the surrogate's students of rank {wildcards.rank}"
    input:
        data=rules.surrogate_data.output[0],
        code=code("surrogate_train", "entropic.surrogate.train"),
    output:
        f"{RESULTS}/train/surrogate/rank={{rank}}/students.parquet",
    params:
        training=SURROGATE["training"],
    log:
        f"{RESULTS}/logs/surrogate_train/rank={{rank}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/surrogate_train/rank={{rank}}.tsv"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    conda:
        "../../envs/training.yaml"
    script:
        "../scripts/surrogate_train.py"
