"""Draw a figure from its table, as PDF and PNG."""

from attnrank import rooms, style, tables


def main(figure, table, pdf, png):
    room = rooms.figures()[figure]
    shown = tables.read(table, rooms.module(room, "schemas").FIGURES[figure].table)
    draw = rooms.module(room, "plot").FIGURES[figure]
    style.save(draw(shown.frame), pdf, png)


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            figure=snakemake.wildcards.figure,
            table=snakemake.input.table,
            pdf=snakemake.output.pdf,
            png=snakemake.output.png,
        )
