"""Chapter B3, one to three tokens: the construction, the best rank-1 head, trained heads."""

LENGTHS = config["lengths"]


rule lengths_exact:
    input:
        code=code("lengths_exact", "minip.lengths.construct", "minip.lengths.optimum"),
    output:
        construction=f"{RESULTS}/ranks/minip_construction.parquet",
        optimum=f"{RESULTS}/ranks/minip_rank_one.parquet",
    log:
        f"{RESULTS}/logs/lengths_exact.log",
    benchmark:
        f"{RESULTS}/benchmarks/lengths_exact.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        settings={key: LENGTHS[key] for key in ["construction", "optimum"]},
    message:
        "Answer every input with one feature, and bound what one feature can do"
    script:
        "../scripts/lengths_exact.py"


rule lengths_train:
    input:
        code=code("lengths_train", "minip.lengths.train"),
    output:
        f"{RESULTS}/train/minip_lengths/length={{length}}.parquet",
    log:
        f"{RESULTS}/logs/lengths_train/length={{length}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/lengths_train/length={{length}}.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        widths=LENGTHS["training"]["widths"],
        ranks=LENGTHS["training"]["ranks"],
        seeds=LENGTHS["training"]["seeds"],
        training={
            key: value
            for key, value in LENGTHS["training"].items()
            if key not in ["lengths", "widths", "ranks", "seeds"]
        },
    message:
        "Train heads on inputs of {wildcards.length} tokens"
    script:
        "../scripts/lengths_train.py"


rule lengths_gather:
    input:
        trained=expand(
            rules.lengths_train.output[0], length=LENGTHS["training"]["lengths"]
        ),
        optimum=rules.lengths_exact.output.optimum,
        code=code("lengths_gather", "minip.lengths.table"),
    output:
        f"{RESULTS}/ranks/minip_lengths_runs.parquet",
    log:
        f"{RESULTS}/logs/lengths_gather.log",
    benchmark:
        f"{RESULTS}/benchmarks/lengths_gather.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    message:
        "Gather the heads of every length, and hold rank 1 against its optimum"
    script:
        "../scripts/lengths_gather.py"


for name in ["lengths_exact", "lengths_gather"]:
    BENCHMARKS[name] = [getattr(rules, name).benchmark]
BENCHMARKS["lengths_train"] = expand(
    rules.lengths_train.benchmark, length=LENGTHS["training"]["lengths"]
)
