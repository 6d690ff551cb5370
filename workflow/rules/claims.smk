"""Verdicts on the registered claims, and what the run cost."""


rule claims:
    message:
        "Judge the registered claims"
    input:
        sorted(claim_sources()),
        registry="workflow/claims.yaml",
        code=code("claims", "claims", *[f"{room.package}.claims" for room in ROOMS]),
    output:
        parquet=f"{RESULTS}/claims.parquet",
        page=f"{RESULTS}/claims.md",
    params:
        folder=RESULTS,
        statistics=config["statistics"],
        tier=config["tier"],
    log:
        f"{RESULTS}/logs/claims.log",
    benchmark:
        f"{RESULTS}/benchmarks/claims.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    conda:
        "../../envs/analysis.yaml"
    script:
        "../scripts/claims.py"


rule costs:
    message:
        "Sum what the run cost"
    input:
        unpack(benchmarks),
    output:
        parquet=f"{RESULTS}/tables/costs.parquet",
    params:
        rules=sorted(BENCHMARKS),
    log:
        f"{RESULTS}/logs/costs.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    conda:
        "../../envs/analysis.yaml"
    script:
        "../scripts/costs.py"
