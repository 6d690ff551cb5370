"""Train kernels of every rank, and dense softmax, on one kind of split: all draws and seeds."""

import pandas as pd

from attnrank import tables
from attnrank.minip.scaling import data, schemas, train

ADAM = ("steps", "warmup", "final_exponent", "inputs")


def main(out, split, settings, shared):
    scales = _sequences if split == "sequences" else _codes
    models = [(draw, seed) for draw in shared["draws"] for seed in range(shared["seeds"])]
    adam = {name: settings[name] for name in ADAM}
    parts = []
    for case, pools, fresh, hidden in scales(settings, shared, models):
        for rank in (0, *shared["ranks"]):
            rate = settings["learning_rate" if rank else "dense_rate"]
            trained = train.train(
                pools, fresh, rank=rank, draws=models, learning_rate=rate, hidden=hidden, **adam
            )
            known = {"split": split, **case, "rank": rank}
            who = {"draw": [d for d, _ in models], "seed": [s for _, s in models]}
            parts.append(pd.DataFrame({**known, **who, **vars(trained)}))
    tables.write(
        out,
        pd.concat(parts, ignore_index=True),
        schemas.RUNS,
        settings={**shared, split: settings},
        seeds=shared["draws"],
    )


def _sequences(settings, shared, models):
    sizes = zip(settings["queries"], settings["widths"], settings["overlaps"], strict=True)
    for queries, width, overlap in sizes:
        drawn = {
            draw: data.draw_pool(
                draw,
                queries=queries,
                width=width,
                overlap=overlap,
                keys=shared["keys"],
                train_share=settings["train_share"],
                most_train=settings["most_train"],
                most_test=shared["most_test"],
            )
            for draw in shared["draws"]
        }
        pools = [drawn[draw] for draw, _ in models]
        yield {"queries": queries, "width": width}, pools, pools, 0


def _codes(settings, shared, models):
    sizes = {
        **{name: settings[name] for name in ("queries", "width", "overlap")},
        "keys": shared["keys"],
        "most_test": shared["most_test"],
    }
    fresh = {
        draw: data.draw_pool(
            draw, **sizes, train_share=0.0, most_train=0, stream="minip_scaling.fresh"
        )
        for draw in shared["draws"]
    }
    taken = [word for pool in fresh.values() for word in (*pool.queries, *pool.keys)]
    known = [
        data.draw_pool(code, **sizes, train_share=1.0, most_train=10**9, taken=taken)
        for code in range(settings["codes"])
    ]
    case = {"queries": settings["queries"], "width": settings["width"]}
    yield case, known, [fresh[draw] for draw, _ in models], settings["hidden"]


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            out=snakemake.output[0],
            split=snakemake.wildcards.split,
            settings=snakemake.params.settings,
            shared=snakemake.params.shared,
        )
