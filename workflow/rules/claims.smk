"""Verdicts on the registered claims, and what the run cost."""


rule claims:
    input:
        sources=claim_sources(),
        registry="workflow/claims.yaml",
        code=code("claims", "claims", *[f"{room.package}.claims" for room in ROOMS]),
    output:
        parquet=f"{RESULTS}/claims.parquet",
        page=f"{RESULTS}/claims.md",
    log:
        f"{RESULTS}/logs/claims.log",
    benchmark:
        f"{RESULTS}/benchmarks/claims.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        statistics=config["statistics"],
        tier=config["tier"],
    message:
        "Judge the registered claims"
    script:
        "../scripts/claims.py"


rule costs:
    input:
        unpack(benchmarks),
    output:
        parquet=f"{RESULTS}/tables/costs.parquet",
    log:
        f"{RESULTS}/logs/costs.log",
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        rules=sorted(BENCHMARKS),
    message:
        "Sum what the run cost"
    script:
        "../scripts/costs.py"
