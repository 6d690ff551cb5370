"""Chapter B4, scaling out of distribution: heads on new sequences and new codes, table, figure."""

SCALING = config["scaling"]
SCALING_SPLITS = ["sequences", "codes"]


rule scaling_train:
    input:
        code=code("scaling_train", "minip.scaling.train"),
    output:
        f"{RESULTS}/train/minip_scaling/{{split}}.parquet",
    log:
        f"{RESULTS}/logs/scaling_train/{{split}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/scaling_train/{{split}}.tsv"
    wildcard_constraints:
        split="|".join(SCALING_SPLITS),
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=3000,
        runtime=30,
    params:
        settings=lambda wildcards: SCALING[wildcards.split],
        shared={
            key: SCALING[key]
            for key in ["ranks", "keys", "draws", "seeds", "most_test"]
        },
    message:
        "Train heads and test them on new {wildcards.split}"
    script:
        "../scripts/scaling_train.py"


BENCHMARKS["scaling_train"] = expand(
    rules.scaling_train.benchmark, split=SCALING_SPLITS
)
