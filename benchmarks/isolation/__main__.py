"""Build documents beside a plugin that does 224 things wrong, in the server and the foreground."""

import argparse
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.isolation.deeds import Misdeed, misdeeds
from benchmarks.isolation.run import Judged, Mode, install, judge


def main(arguments: list[str]) -> int:
    """Run the campaign, print what came of it, and return 1 if anything is wrong."""
    options = _parser().parse_args(arguments)
    selection = [
        each
        for each in misdeeds()
        if options.hook in ("", each.hook) and options.deed in ("", each.deed)
    ][:: options.every]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.workers) as pool:
        site = Path(folder, "site")
        install(site)
        well = judge(
            Misdeed("", ""), "foreground", Path(folder, "well"), site, seconds=options.seconds
        )
        if well.told:
            sys.exit(f"without a misdeed the plugin fails already: {well.told}")
        jobs = [(misdeed, mode) for mode in options.modes for misdeed in selection]
        run = partial(_judged, Path(folder), site, options.seconds)
        judged = []
        for one in pool.map(run, *zip(*enumerate(jobs), strict=True)):
            judged.append(one)
            if one.wrong or options.verbose:
                print(_line(one), flush=True)
    _report(judged)
    return 1 if any(each.wrong for each in judged) else 0


def _judged(
    folder: Path, site: Path, seconds: float, number: int, job: tuple[Misdeed, Mode]
) -> Judged:
    return judge(*job, folder / str(number), site, seconds=seconds)


def _line(one: Judged) -> str:
    what = f"{one.mode:10} {one.misdeed.hook:16} {one.misdeed.deed:20} {one.seconds:5.1f} s"
    return f"{what}  {'WRONG: ' + one.wrong if one.wrong else one.told}"


def _report(judged: list[Judged]) -> None:
    for mode in dict.fromkeys(each.mode for each in judged):
        ours = [each for each in judged if each.mode == mode]
        right = sum(not each.wrong for each in ours)
        slowest = max(ours, key=lambda each: each.seconds)
        print(
            f"{mode}: {right} of {len(ours)} documents name the plugin, blame nobody else and "
            f"have the rest; the slowest took {slowest.seconds:.1f} s "
            f"({slowest.misdeed.hook}: {slowest.misdeed.deed})"
        )
        by_hook = Counter(each.misdeed.hook for each in ours)
        for hook, count in by_hook.items():
            good = sum(not each.wrong for each in ours if each.misdeed.hook == hook)
            print(f"  {hook:16} {good:3} of {count}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks isolation", description=__doc__)
    parser.add_argument("--hook", default="", help="only this hook")
    parser.add_argument("--deed", default="", help="only this deed")
    parser.add_argument("--every", type=int, default=1, help="only every how manieth")
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="how long a call may take at least"
    )
    parser.add_argument("--workers", type=int, default=2, help="how many builds at a time")
    parser.add_argument("--verbose", action="store_true", help="print what is right, too")
    parser.add_argument(
        "--modes", nargs="+", default=["foreground", "server"], choices=["foreground", "server"]
    )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
