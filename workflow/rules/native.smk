"""Chapter A3, attention-native rank: tasks, students, estimates, tables, figures."""

NATIVE = config["native"]
NATIVE_IMPLICIT = NATIVE["implicit"]
NATIVE_EXPERIMENTS = {
    "transition": {
        "kinds": ["linear", "softmax"],
        "taus": [NATIVE["task"]["tau"]],
        "r_star": NATIVE["task"]["r_star"],
        "ranks": NATIVE["ranks"],
    },
    # Linear attention does not depend on tau: its students above serve here too.
    "compression": {
        "kinds": ["softmax"],
        "taus": NATIVE["compression"]["taus"],
        "r_star": [NATIVE["compression"]["r_star"]],
        "ranks": NATIVE["compression"]["ranks"],
    },
}
NATIVE_SHAPE = ["tokens", "width", "samples", "held_out", "noise"]


rule native_data:
    input:
        code=code("native_data", "entropic.native.data"),
    output:
        f"{RESULTS}/data/native/{{experiment}}.parquet",
    log:
        f"{RESULTS}/logs/native_data/{{experiment}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/native_data/{{experiment}}.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        kinds=lambda wildcards: NATIVE_EXPERIMENTS[wildcards.experiment]["kinds"],
        taus=lambda wildcards: NATIVE_EXPERIMENTS[wildcards.experiment]["taus"],
        r_star=lambda wildcards: NATIVE_EXPERIMENTS[wildcards.experiment]["r_star"],
        seeds=NATIVE["task"]["seeds"],
        shape={key: NATIVE["task"][key] for key in NATIVE_SHAPE},
        stream="native",
    message:
        "Draw the attention teachers of {wildcards.experiment}"
    script:
        "../scripts/native_data.py"


rule native_train:
    input:
        data=rules.native_data.output[0],
        code=code("native_train", "entropic.native.train"),
    output:
        f"{RESULTS}/train/native/{{experiment}}/rank={{rank}}/students.parquet",
    log:
        f"{RESULTS}/logs/native_train/{{experiment}}/rank={{rank}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/native_train/{{experiment}}/rank={{rank}}.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        training=NATIVE["training"],
    message:
        "Train attention students of rank {wildcards.rank} for {wildcards.experiment}"
    script:
        "../scripts/native_train.py"


NATIVE_STUDENTS = [
    f"{RESULTS}/train/native/{name}/rank={rank}/students.parquet"
    for name, experiment in NATIVE_EXPERIMENTS.items()
    for rank in experiment["ranks"]
]


rule native_estimate:
    input:
        tasks=expand(rules.native_data.output[0], experiment=NATIVE_EXPERIMENTS),
        students=NATIVE_STUDENTS,
        code=code("native_estimate", "entropic.native.estimate"),
    output:
        f"{RESULTS}/ranks/native.parquet",
    log:
        f"{RESULTS}/logs/native_estimate.log",
    benchmark:
        f"{RESULTS}/benchmarks/native_estimate.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Measure the attention students"
    script:
        "../scripts/native_estimate.py"


rule native_implicit_data:
    input:
        code=code("native_data", "entropic.native.data"),
    output:
        f"{RESULTS}/data/native_implicit/tasks.parquet",
    log:
        f"{RESULTS}/logs/native_implicit_data.log",
    benchmark:
        f"{RESULTS}/benchmarks/native_implicit_data.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        kinds=["linear", "softmax"],
        taus=[NATIVE_IMPLICIT["tau"]],
        r_star=NATIVE_IMPLICIT["r_star"],
        seeds=NATIVE["task"]["seeds"],
        shape={
            "noise": 0.0,
            **{key: NATIVE_IMPLICIT[key] for key in NATIVE_SHAPE if key != "noise"},
        },
        stream="native_implicit",
    message:
        "Draw attention teachers with too few data"
    script:
        "../scripts/native_data.py"


rule native_implicit_train:
    input:
        data=rules.native_implicit_data.output[0],
        code=code("native_implicit_train", "entropic.native.train"),
    output:
        f"{RESULTS}/train/native_implicit/init_scale={{init_scale}}/students.parquet",
    log:
        f"{RESULTS}/logs/native_implicit_train/init_scale={{init_scale}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/native_implicit_train/init_scale={{init_scale}}.tsv"
    conda:
        "../../envs/training.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        clip=NATIVE_IMPLICIT["clip"],
        descents={kind: NATIVE_IMPLICIT[kind] for kind in ("linear", "softmax")},
    message:
        "Descend on too few data from scale {wildcards.init_scale}"
    script:
        "../scripts/native_implicit_train.py"


rule native_implicit_estimate:
    input:
        tasks=rules.native_implicit_data.output[0],
        students=expand(
            rules.native_implicit_train.output[0],
            init_scale=NATIVE_IMPLICIT["init_scales"],
        ),
        code=code("native_implicit_estimate", "entropic.native.estimate"),
    output:
        f"{RESULTS}/ranks/native_implicit.parquet",
    log:
        f"{RESULTS}/logs/native_implicit_estimate.log",
    benchmark:
        f"{RESULTS}/benchmarks/native_implicit_estimate.tsv"
    conda:
        "../../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Measure the ranks that gradient descent found on too few data"
    script:
        "../scripts/native_implicit_estimate.py"


for name in ["native_estimate", "native_implicit_data", "native_implicit_estimate"]:
    BENCHMARKS[name] = [getattr(rules, name).benchmark]
BENCHMARKS["native_data"] = expand(
    rules.native_data.benchmark, experiment=NATIVE_EXPERIMENTS
)
BENCHMARKS["native_train"] = [
    f"{RESULTS}/benchmarks/native_train/{name}/rank={rank}.tsv"
    for name, experiment in NATIVE_EXPERIMENTS.items()
    for rank in experiment["ranks"]
]
BENCHMARKS["native_implicit_train"] = expand(
    rules.native_implicit_train.benchmark, init_scale=NATIVE_IMPLICIT["init_scales"]
)
