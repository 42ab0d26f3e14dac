"""Cut plugin sections so that together they fit the budget."""

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from rove_core.build.write.plugin_sections import section_blocks
from rove_core.build.write.token_count import tokens
from rove_core.items import Section
from rove_core.plugins.reports import current_reports

#: Maximum characters of ordinary text per token; anything beyond is cut without counting.
_LONGEST_TOKEN: Final = 16
_CUT: Final = "…"


def fit_sections(by_plugin: Mapping[str, Sequence[Section]], budget: int) -> tuple[Section, ...]:
    """Return plugin sections cut to a budget, in the order of the plugins.

    A plugin that needs less than its share leaves the rest to the others. Cuts are reported.

    Args:
        by_plugin: The sections of each plugin, by name.
        budget: Token budget of all sections together.
    """
    costs = {
        name: _capped_cost(sections, budget) for name, sections in by_plugin.items() if sections
    }
    fitting: dict[str, Sequence[Section]] = {}
    left = budget
    for number, name in enumerate(sorted(costs, key=costs.__getitem__)):
        share = left // (len(costs) - number)
        fitting[name] = by_plugin[name]
        if costs[name] > share:
            fitting[name] = _cut_to(by_plugin[name], share)
            detail = f"exceeded its share of {share} tokens: cut"
            current_reports().note(name, "rove_sections", detail)
        left -= min(costs[name], share)
    return tuple(section for name in by_plugin for section in fitting.get(name, ()))


def _cut_to(sections: Sequence[Section], share: int) -> Sequence[Section]:
    """Return the first sections, the last of them in part."""
    head: list[Section] = []
    for section in sections:
        cost = _capped_cost([section], share)
        if cost > share:
            part = _part(section, share)
            return [*head, part] if part else head
        head.append(section)
        share -= cost
    return head


def _part(section: Section, share: int) -> Section | None:
    """Return a section with as many of its first lines, or words, as fit."""
    content = section.content[: share * _LONGEST_TOKEN].rstrip()
    joint = "\n" if "\n" in content else " "
    pieces = content.split(joint)

    def first(count: int) -> Section:
        text = joint.join(pieces[:count]).rstrip()
        return attrs.evolve(section, content=f"{text}{joint}{joint}{_CUT}")

    few, many = 0, len(pieces)
    while few < many:
        middle = (few + many + 1) // 2
        if _cost(first(middle)) <= share:
            few = middle
        else:
            many = middle - 1
    return first(few) if few else None


def _capped_cost(sections: Sequence[Section], budget: int) -> int:
    """Return the token count of sections; ``budget + 1`` if they exceed it."""
    cost = 0
    for section in sections:
        size = len(section.heading) + len(section.content)
        cost += budget + 1 if size > budget * _LONGEST_TOKEN else _cost(section)
        if cost > budget:
            return budget + 1
    return cost


def _cost(section: Section) -> int:
    return sum(tokens(f"{block.text}\n\n") for block in section_blocks(section))
