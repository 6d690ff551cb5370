"""Chapter B7, finite precision: constructed heads, trained heads, table, figure."""

TRANSCRIPT = config["transcript"]


rule transcript_construct:
    input:
        code=code("transcript_construct", "minip.transcript.rows"),
    output:
        f"{RESULTS}/ranks/transcript_constructed.parquet",
    log:
        f"{RESULTS}/logs/transcript_construct.log",
    benchmark:
        f"{RESULTS}/benchmarks/transcript_construct.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        settings=TRANSCRIPT["constructed"],
    message:
        "Construct heads of finite precision"
    script:
        "../scripts/transcript_construct.py"


rule transcript_train:
    input:
        code=code("transcript_train", "minip.transcript.train", "minip.transcript.rows"),
    output:
        f"{RESULTS}/train/minip_transcript/heads.parquet",
    log:
        f"{RESULTS}/logs/transcript_train.log",
    benchmark:
        f"{RESULTS}/benchmarks/transcript_train.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        settings=TRANSCRIPT["training"],
    message:
        "Train heads of finite precision"
    script:
        "../scripts/transcript_train.py"


for name in ["transcript_construct", "transcript_train"]:
    BENCHMARKS[name] = [getattr(rules, name).benchmark]
