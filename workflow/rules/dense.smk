"""Chapter B3, dense softmax attention: errors and thresholds, trained heads."""

DENSE = config["dense"]


rule dense_exact:
    input:
        code=code("dense_exact", "minip.dense.exact"),
    output:
        errors=f"{RESULTS}/ranks/minip_dense_errors.parquet",
        thresholds=f"{RESULTS}/ranks/minip_dense_thresholds.parquet",
    log:
        f"{RESULTS}/logs/dense_exact.log",
    benchmark:
        f"{RESULTS}/benchmarks/dense_exact.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        settings=DENSE["exact"],
    message:
        "Find the errors and the threshold temperatures of dense softmax attention"
    script:
        "../scripts/dense_exact.py"


rule dense_train:
    input:
        code=code("dense_train", "minip.dense.train"),
    output:
        f"{RESULTS}/train/minip_dense/width={{width}}.parquet",
    log:
        f"{RESULTS}/logs/dense_train/width={{width}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/dense_train/width={{width}}.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        seeds=DENSE["training"]["seeds"],
        training={
            key: value
            for key, value in DENSE["training"].items()
            if key not in ["widths", "seeds"]
        },
    message:
        "Train dense heads on tokens of {wildcards.width} bits"
    script:
        "../scripts/dense_train.py"


rule dense_gather:
    input:
        trained=expand(rules.dense_train.output[0], width=DENSE["training"]["widths"]),
        code=code("dense_gather"),
    output:
        f"{RESULTS}/ranks/minip_dense_runs.parquet",
    log:
        f"{RESULTS}/logs/dense_gather.log",
    benchmark:
        f"{RESULTS}/benchmarks/dense_gather.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    message:
        "Gather the trained dense heads"
    script:
        "../scripts/dense_gather.py"


for name in ["dense_exact", "dense_gather"]:
    BENCHMARKS[name] = [getattr(rules, name).benchmark]
BENCHMARKS["dense_train"] = expand(
    rules.dense_train.benchmark, width=DENSE["training"]["widths"]
)
