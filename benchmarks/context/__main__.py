"""How good the documents are: of the sample company, or of companies that nobody here wrote."""

import argparse
import tempfile
from pathlib import Path

from benchmarks.context import ablation, companies, judge, lengths, sample, weights


def main() -> None:
    """Measure on the sample company, or on companies in folders."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks context", description=__doc__)
    parser.add_argument(
        "--company",
        type=Path,
        action="append",
        default=[],
        help="a folder with items.<variant>.jsonl and truth.json; the sample company without any",
    )
    parser.add_argument("--variant", action="append", help="half and hard unless given")
    parser.add_argument(
        "--serve",
        default="",
        metavar="COMMAND",
        help="gather over HTTP, from what this command serves, instead of giving Rove everything",
    )
    parser.add_argument("--worst", type=int, default=0, help="show so many of the worst tickets")
    parser.add_argument(
        "--ablate", action="store_true", help="do without one part of Rove after the other"
    )
    parser.add_argument(
        "--weights",
        action="store_true",
        help="compare the weights shipped with those fitted on the other companies alone",
    )
    parser.add_argument(
        "--judge",
        action="store_true",
        help="show what judges are worth that err in 0 to 30 %% of their answers",
    )
    parser.add_argument(
        "--learn",
        type=int,
        action="append",
        default=[],
        metavar="TICKETS",
        help="with --weights, also those learned from so many other tickets of a company",
    )
    parser.add_argument(
        "--strength",
        type=float,
        action="append",
        default=[],
        help="with --weights, fit by each of these strengths, and go on with the best",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        default=Path(tempfile.gettempdir()) / "rove-benchmarks",
        metavar="FOLDER",
        help="with --weights or --judge, where what no weights change is kept for the next run",
    )
    parser.add_argument(
        "--lengths",
        action="store_true",
        help="show how long documents are beside what they quote, and what names the ticket",
    )
    parser.add_argument(
        "--tickets",
        type=int,
        default=0,
        help="with --lengths, so many tickets of each company; all unless given",
    )
    options = parser.parse_args()
    variants = options.variant or ["half", "hard"]
    with companies.remembered_words():
        if not options.company:
            ablation.of_sample() if options.ablate else sample.measure(options.worst)
        elif options.lengths:
            lengths.measure(options.company, variants, options.tickets)
        elif options.judge:
            judge.measure(options.company, variants, options.keep)
        elif options.weights:
            weights.measure(
                options.company, variants, options.keep, options.learn, options.strength
            )
        elif options.ablate:
            ablation.of_companies(options.company, variants, options.serve)
        else:
            companies.measure(options.company, variants, options.serve, options.worst)


if __name__ == "__main__":
    main()
