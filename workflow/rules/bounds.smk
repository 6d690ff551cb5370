"""Chapter B5, the certified bound against width and length; and certificates of any suite."""

BOUNDS = config["bounds"]


rule bounds_certify:
    input:
        code=code("bounds_certify", "minip.bounds.estimate"),
    output:
        profiles=f"{RESULTS}/ranks/minip_profiles.parquet",
        bounds=f"{RESULTS}/ranks/minip_bounds.parquet",
    log:
        f"{RESULTS}/logs/bounds_certify.log",
    benchmark:
        f"{RESULTS}/benchmarks/bounds_certify.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        profiles=BOUNDS["profiles"],
        cube=BOUNDS["cube"],
        growth=BOUNDS["growth"],
    message:
        "Prove one ratio for each overlap profile and bound the rank of every code"
    script:
        "../scripts/bounds_certify.py"


rule bounds_realise:
    input:
        code=code("bounds_realise", "minip.bounds.realise"),
    output:
        f"{RESULTS}/ranks/minip_realised.parquet",
    log:
        f"{RESULTS}/logs/bounds_realise.log",
    benchmark:
        f"{RESULTS}/benchmarks/bounds_realise.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        realisation=BOUNDS["realisation"],
    message:
        "Realise dense softmax with 2^m nonnegative features"
    script:
        "../scripts/bounds_realise.py"


rule certify_suite:
    input:
        suite="suites/{name}.parquet",
        code=code("certify_suite", "minip.suites.certificate"),
    output:
        **{
            table: f"{RESULTS}/certificates/{{name}}/{table}.parquet"
            for table in ["matrix", "ratios", "proofs", "certificate"]
        },
    log:
        f"{RESULTS}/logs/certify_suite/{{name}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/certify_suite/{{name}}.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        settings=BOUNDS["certify"],
    message:
        "Certify the suite {wildcards.name}"
    script:
        "../scripts/certify_suite.py"


for name in ["bounds_certify", "bounds_realise"]:
    BENCHMARKS[name] = [getattr(rules, name).benchmark]
