"""``python -m rove_sim``: run the simulated vendors until Ctrl-C."""

import argparse
import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from rove_sim.company import load_company, sample_company
from rove_sim.conduct import Conduct
from rove_sim.world import World, running

_KINDS = ("jira", "slack", "github", "linear", "asana", "azure")


def main(argv: list[str] | None = None) -> None:
    """Run the simulators."""
    with suppress(KeyboardInterrupt):
        asyncio.run(_run(_parser().parse_args(argv)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m rove_sim", description=__doc__)
    parser.add_argument("--company", type=Path, help="a TOML file, or a folder of them")
    parser.add_argument(
        "--ports", default="", help="with commas between: Jira, Slack, GitHub, Linear, Asana, Azure"
    )
    parser.add_argument("--page-size", type=int, help="the most that one page holds")
    parser.add_argument("--limits", action="store_true", help="keep the vendors' limits")
    return parser


async def _run(options: argparse.Namespace) -> None:
    company = load_company(options.company) if options.company else sample_company()
    conduct = Conduct(page_size=options.page_size, limits=options.limits)
    ports = dict(zip(_KINDS, map(int, filter(None, options.ports.split(","))), strict=False))
    async with running(company, conduct=conduct, ports=ports) as world:
        sys.stdout.write(_banner(world))
        sys.stdout.flush()
        await asyncio.Event().wait()


def _banner(world: World) -> str:
    lines = [f"{world.company.name}, in a box. Stop it with Ctrl-C."]
    lines += [f"{name:15}{url}" for name, url in world.urls.items()]
    lines += [f"{name:15}{answer}" for name, answer in world.answers.items()]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
