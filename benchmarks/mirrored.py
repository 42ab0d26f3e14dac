"""Documents of outside companies, made from mirrors while their vendors are served over HTTP.

Each ticket is printed, and kept in a file, as soon as it is known: a run that is stopped goes on
where it was.
"""

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import Final

from attrs import asdict, frozen

from benchmarks.context.answers import Answer, score
from benchmarks.context.listing_server import with_listings
from benchmarks.context.outside import Outside
from benchmarks.context.scoring import paired
from benchmarks.context.served import Server, answer_of, connected_to, serving
from benchmarks.mirror_control import CopiedItems
from benchmarks.mirror_copies import copy_accounts
from benchmarks.mirror_filling import fill_commits, fill_mirrors
from rove_core import Project
from rove_core.clock import SYSTEM
from rove_core.wire.structure import TOLERANT

#: How long a build may take, and what it may ask.
_SLOWEST, _MOST_REQUESTS = 1.0, 4
_CUTS: Final = 20


@frozen(kw_only=True)
class TicketFigures:
    """How good a document from mirrors is, beside what is chosen among all that they hold.

    Attributes:
        company: The company, with its variant.
        ticket: The ticket.
        f1: F1 of the document.
        ndcg: nDCG of its ranking.
        direct_f1: F1 of what is chosen among everything.
        direct_ndcg: nDCG of that.
        seconds: Wall time of the build.
        requests: What the vendors were asked meanwhile.
    """

    company: str
    ticket: str
    f1: float
    ndcg: float
    direct_f1: float
    direct_ndcg: float
    seconds: float
    requests: int

    def __str__(self) -> str:
        figures = f"F1 {self.f1:.3f} ({self.direct_f1:.3f}), nDCG {self.ndcg:.3f} "
        figures += f"({self.direct_ndcg:.3f}), {self.seconds:.2f} s, {self.requests} requests"
        return f"{self.company} {self.ticket}: {figures}"


def measure_companies(  # noqa: PLR0913  # each is an option of its own
    folders: Sequence[Path],
    variants: Sequence[str],
    serve: str,
    *,
    tickets: int | None = None,
    kept: Path | None = None,
    listed: bool = False,
) -> None:
    """Print how good documents are that are made from mirrors, and what they take.

    Args:
        folders: The companies.
        variants: How many of their people name tickets.
        serve: The command of what serves a company.
        tickets: How many tickets of each company; all if None.
        kept: The file of the figures; the tickets in it are not built again.
        listed: Whether the mirrors copy what vendors list over HTTP; otherwise they are filled.
    """
    by_key = {(each.company, each.ticket): each for each in _read(kept)}
    shown: list[TicketFigures] = []
    for variant in variants:
        for folder in folders:
            company = Outside.load(folder, variant)
            called = f"{company.name} {variant}"
            keys = [*islice(company.truths, tickets)]
            own = [by_key[called, key] for key in keys if (called, key) in by_key]
            left = [key for key in keys if (called, key) not in by_key]
            own += asyncio.run(_measured(company, left, serve, kept, listed=listed))
            _show(called, own)
            shown += own
    if len(folders) * len(variants) > 1:
        _show("all", shown)


def _read(path: Path | None) -> Iterable[TicketFigures]:
    if path and path.exists():
        for line in path.read_text("utf-8").splitlines():
            yield TOLERANT.structure(json.loads(line), TicketFigures)


async def _measured(
    company: Outside, keys: Sequence[str], serve: str, path: Path | None, *, listed: bool
) -> Sequence[TicketFigures]:
    """Return the figures of tickets; each is printed and kept at once."""
    measured: list[TicketFigures] = []
    if not keys:
        return measured
    built = _built_from_listings if listed else _built
    async for key, answer, given_all in built(company, keys, serve):
        truth = company.truths[key]
        ours, direct = score(answer, truth), score(given_all, truth)
        each = TicketFigures(
            company=f"{company.name} {company.variant}",
            ticket=key,
            f1=ours.counted.f1,
            ndcg=ours.ndcg,
            direct_f1=direct.counted.f1,
            direct_ndcg=direct.ndcg,
            seconds=answer.seconds,
            requests=sum(answer.requests.values()),
        )
        print(each, *sorted(answer.failures.values()), flush=True)
        measured.append(each)
        if path:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(asdict(each))}\n")
    return measured


async def _built(
    company: Outside, keys: Sequence[str], serve: str
) -> AsyncIterator[tuple[str, Answer, Answer]]:
    """Yield what a document of each ticket is made of, and what it would be, given all."""
    with serving(serve, company) as server:
        async with connected_to(server, company, SYSTEM) as project:
            await asyncio.to_thread(fill_mirrors, project, server, company)
            async for built in _answers(project, server, company, keys):
                yield built


async def _built_from_listings(
    company: Outside, keys: Sequence[str], serve: str
) -> AsyncIterator[tuple[str, Answer, Answer]]:
    """Yield the same, from mirrors that were started and updated as a user's are."""
    with serving(serve, company) as inner, with_listings(inner, company) as server:
        async with connected_to(server, company) as project:
            await copy_accounts(project)
            print(f"copied by {server.requests().total()} requests", flush=True)
            if "github" in project.accounts.names:
                await asyncio.to_thread(fill_commits, project, server, company)
            async for built in _answers(project, server, company, keys):
                yield built


async def _answers(
    project: Project, server: Server, company: Outside, keys: Sequence[str]
) -> AsyncIterator[tuple[str, Answer, Answer]]:
    copied = await asyncio.to_thread(CopiedItems.of, project, company)
    # No build of a user's holds the whole company: what does need not be looked through each time
    # that Python collects garbage, which took up to .3 s of a build.
    gc.collect()
    gc.freeze()
    for key in keys:
        answer = await answer_of(project, server, company, key)
        yield key, answer, await copied.choose(key)


def _show(group: str, all_: Sequence[TicketFigures]) -> None:
    """Print the difference to what is chosen among everything, with its interval, and the cost."""
    for name in ("f1", "ndcg"):
        ours = {f"{each.company} {each.ticket}": float(getattr(each, name)) for each in all_}
        direct = {
            f"{each.company} {each.ticket}": float(getattr(each, f"direct_{name}")) for each in all_
        }
        mean = sum(ours.values()) / len(ours)
        print(f"{group}: {name} {mean:.3f}, minus given all {paired(ours, direct)}")
    seconds = sorted(each.seconds for each in all_)
    cuts = quantiles(seconds, n=_CUTS) if len(seconds) > 1 else seconds * _CUTS
    many = sum(each.requests > _MOST_REQUESTS for each in all_)
    slow = sum(each.seconds > _SLOWEST for each in all_)
    print(
        f"{group}: {len(all_)} builds, p50 {cuts[9]:.2f} s, p95 {cuts[18]:.2f} s, most "
        f"{seconds[-1]:.2f} s of wall ({slow} over {_SLOWEST:g}); at most "
        f"{max(each.requests for each in all_)} requests ({many} over {_MOST_REQUESTS})",
        flush=True,
    )
