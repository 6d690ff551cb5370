"""Chapter B5b, variants of the head on the witness suite: certificates, heads."""

VARIANTS = config["variants"]


rule variants_certify:
    input:
        suite=f"{RESULTS}/data/minip_transition/suite.parquet",
        code=code("variants_certify", "minip.variants.certify"),
    output:
        f"{RESULTS}/ranks/minip_variants_certificate.parquet",
    log:
        f"{RESULTS}/logs/variants_certify.log",
    benchmark:
        f"{RESULTS}/benchmarks/variants_certify.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        variants=VARIANTS["variants"],
        errors=VARIANTS["errors"],
    message:
        "Certify every variant of the head in exact fractions"
    script:
        "../scripts/variants_certify.py"


rule variants_train:
    input:
        suite=f"{RESULTS}/data/minip_transition/suite.parquet",
        code=code("variants_train", "minip.variants.train", "minip.witness.inputs"),
    output:
        f"{RESULTS}/train/minip_variants/rank={{rank}}/heads.parquet",
    log:
        f"{RESULTS}/logs/variants_train/rank={{rank}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/variants_train/rank={{rank}}.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        variants=VARIANTS["variants"],
        values=VARIANTS["values"],
        training=VARIANTS["training"],
    message:
        "Train every variant of rank {wildcards.rank}"
    script:
        "../scripts/variants_train.py"


rule variants_gather:
    input:
        trained=expand(rules.variants_train.output[0], rank=VARIANTS["ranks"]),
        certificate=rules.variants_certify.output[0],
        code=code("variants_gather", "minip.variants.table"),
    output:
        f"{RESULTS}/ranks/minip_variants_runs.parquet",
    log:
        f"{RESULTS}/logs/variants_gather.log",
    benchmark:
        f"{RESULTS}/benchmarks/variants_gather.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    message:
        "Gather the variants, and hold them against the certified floor"
    script:
        "../scripts/variants_gather.py"


for name in ["variants_certify", "variants_gather"]:
    BENCHMARKS[name] = [getattr(rules, name).benchmark]
BENCHMARKS["variants_train"] = expand(
    rules.variants_train.benchmark, rank=VARIANTS["ranks"]
)
