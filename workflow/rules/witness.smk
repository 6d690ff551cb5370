"""Chapters B1 and B2, the witness suite: inputs, certificate, heads, table, figure."""

WITNESS = config["witness"]


FAMILY = {"exp_table": "tables", "softplus_table": "tables", "mlp": "mlp"}


rule witness_suite:
    input:
        code=code("witness_suite", "minip.witness.data"),
    output:
        f"{RESULTS}/data/minip_transition/suite.parquet",
    log:
        f"{RESULTS}/logs/witness_suite.log",
    benchmark:
        f"{RESULTS}/benchmarks/witness_suite.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        settings=WITNESS["suite"],
    message:
        "Build the witness suite"
    script:
        "../scripts/witness_suite.py"


rule witness_certify:
    input:
        suite=rules.witness_suite.output[0],
        code=code("witness_certify", "minip.certify", "minip.witness.inputs"),
    output:
        ratios=f"{RESULTS}/ranks/minip_ratios.parquet",
        proofs=f"{RESULTS}/ranks/minip_proofs.parquet",
    log:
        f"{RESULTS}/logs/witness_certify.log",
    benchmark:
        f"{RESULTS}/benchmarks/witness_certify.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        errors=WITNESS["errors"],
    message:
        "Prove how peaked attention must be on the suite"
    script:
        "../scripts/witness_certify.py"


rule witness_verify:
    input:
        suite=rules.witness_suite.output[0],
        ratios=rules.witness_certify.output.ratios,
        proofs=rules.witness_certify.output.proofs,
        code=code("witness_verify", "minip.witness.stored"),
    output:
        f"{RESULTS}/ranks/minip_certificate.parquet",
    log:
        f"{RESULTS}/logs/witness_verify.log",
    benchmark:
        f"{RESULTS}/benchmarks/witness_verify.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Verify the certificate in exact fractions"
    script:
        "../scripts/witness_verify.py"


rule witness_construct:
    input:
        suite=rules.witness_suite.output[0],
        code=code("witness_construct", "minip.witness.construct"),
    output:
        f"{RESULTS}/ranks/minip_constructed.parquet",
    log:
        f"{RESULTS}/logs/witness_construct.log",
    benchmark:
        f"{RESULTS}/benchmarks/witness_construct.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        settings=WITNESS["construction"],
    message:
        "Build a head that the certificate only just allows"
    script:
        "../scripts/witness_construct.py"


rule witness_train:
    input:
        suite=rules.witness_suite.output[0],
        code=code("witness_train", "minip.witness.train", "minip.witness.inputs"),
    output:
        f"{RESULTS}/train/minip_transition/rank={{rank}}/{{feature_map}}.parquet",
    log:
        f"{RESULTS}/logs/witness_train/rank={{rank}}/{{feature_map}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/witness_train/rank={{rank}}/{{feature_map}}.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        seeds=WITNESS["training"]["seeds"],
        training=lambda wildcards: {
            "warmup": WITNESS["training"]["warmup"],
            **WITNESS["training"][FAMILY[wildcards.feature_map]],
        },
    message:
        "Train {wildcards.feature_map} heads of rank {wildcards.rank} on the suite"
    script:
        "../scripts/witness_train.py"


rule witness_gather:
    input:
        trained=expand(
            rules.witness_train.output[0],
            rank=WITNESS["ranks"],
            feature_map=WITNESS["feature_maps"],
        ),
        certificate=rules.witness_verify.output[0],
        code=code("witness_gather", "minip.witness.table"),
    output:
        f"{RESULTS}/ranks/minip_runs.parquet",
    log:
        f"{RESULTS}/logs/witness_gather.log",
    benchmark:
        f"{RESULTS}/benchmarks/witness_gather.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    message:
        "Gather the heads, and hold them against the certified floor"
    script:
        "../scripts/witness_gather.py"


for name in [
    "witness_suite",
    "witness_certify",
    "witness_verify",
    "witness_construct",
    "witness_gather",
]:
    BENCHMARKS[name] = [getattr(rules, name).benchmark]
BENCHMARKS["witness_train"] = expand(
    rules.witness_train.benchmark,
    rank=WITNESS["ranks"],
    feature_map=WITNESS["feature_maps"],
)
