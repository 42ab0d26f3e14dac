"""Classify headings and labels: acceptance criteria, tasks or something else."""

import re
from collections.abc import Collection
from typing import Final, Literal, TypeAlias

from rove_memory.criteria.words import compared

Announces: TypeAlias = Literal["criteria", "requirements", "other", "apart"]

_LONGEST: Final = 12
_BEFORE: Final = (
    r"(?:(?:the|our|key|main|user|story|feature|ticket|issue|task|epic|functional|technical|"
    r"non functional|business|minimum|high level|initial|updated|proposed|suggested|overall|"
    r"detailed|clear|\d+(?: \d+)*)\s)*"
)
_AFTER: Final = r"(?:\s(?:for|of|and|to|ac|acs|in|per|by|checklist|list|gherkin|bdd|v?\d+)\b.*)?"
_CRITERIA: Final = re.compile(
    rf"{_BEFORE}(?:"
    r"(?:acceptance|success|exit|completion|verification|validation|closing|closure|sign off|"
    r"done|pass|approval|quality acceptance)\s(?:criteria|criterion|criterias|conditions?)"
    r"|acceptance(?:\s(?:tests?|checks?|requirements?|scenarios?|checklist))?"
    rf"|acs?|a c|criteria){_AFTER}"
    r"|(?:(?:this|it|we|the \w+|task|story|ticket|issue|work)\s)?"
    r"(?:(?:is|are|will be|can be|re|s)\s)?"
    r"(?:considered\s)?(?:done|complete|completed|accepted|finished)\s(?:when|if|once)"
    r"|conditions of (?:satisfaction|acceptance)"
    r"|criteria (?:for|of) (?:acceptance|success|completion|done|closing).*"
    r"|how (?:do|will|can) we know (?:it|this|we|that).*"
    # The same in the languages that trackers are most often kept in.
    r"|(?:akzeptanz|abnahme|erfolgs)kriterien|crit[eè]res? d (?:acceptation|acceptance)"
    r"|criterios? de aceptaci[oó]n|crit[eé]rios? de (?:aceita[cç][aã]o|aceite)"
    r"|criteri(?:o)? di accettazione|acceptatiecriteria|критерии при[её]мки|kryteria akceptacji"
    r"|acceptanskriterier|akceptanční kritéria|kabul kriterleri"
    r"|验收标准|驗收標準|受け?入れ?(?:基準|条件)"
    r"|인수 ?(?:기준|조건)"
)
_REQUIREMENTS: Final = re.compile(
    rf"{_BEFORE}(?:requirements?|must haves?|expected (?:behaviou?r|results?|outcomes?)|"
    r"expectations?|desired (?:behaviou?r|outcomes?)|outcomes?)"
)
#: What ends a list of criteria even where it stands among them.
_APART: Final = re.compile(
    r"(?:definition of (?:done|ready)|dod|(?:sub ?|dev(?:elopment)? )?tasks?(?: sub ?tasks?)?|"
    r"sub tasks|todos?|to do|steps?(?: to reproduce)?|(?:proposed |suggested )?implementation"
    r"(?: (?:plan|notes?|steps?|details?|scope))?|"
    r"(?:technical |dev |developer |additional |other )?"
    r"notes?|out of scope|non goals?|not in scope|references?|links?|see also|"
    r"(?:linked|related) (?:pages?|links?|issues?|tickets?|items?|work|documents?)|"
    r"open questions?|questions?|"
    r"dependencies|risks?|resources?|background|context|files?(?: to \w+)?|estimates?|"
    r"changelog|change log|checklist|review(?:er)? checklist|pr checklist|attachments?|"
    r"success metrics?|metrics?|rollback(?: plan)?|assumptions?)"
)


def announces(words: str, more: Collection[str] = ()) -> Announces:
    """Return what a heading or label announces.

    ``apart`` is what ends a list of criteria even within their section: tasks, notes, a Definition
    of Done.

    Args:
        words: The heading.
        more: Further headings that mean criteria, as :func:`compared` gives them.
    """
    phrase = compared(re.sub(r"\([^()]*\)", " ", words)) or compared(words)
    if len(phrase.split()) > _LONGEST:
        return "other"
    if phrase in more or _CRITERIA.fullmatch(phrase):
        return "criteria"
    if _APART.fullmatch(phrase):
        return "apart"
    return "requirements" if _REQUIREMENTS.fullmatch(phrase) else "other"
