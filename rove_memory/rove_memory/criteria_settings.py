"""The settings of acceptance criteria."""

from typing import Final

from attrs import field, frozen

from rove_core import SAFE, SettingsSection


@frozen(kw_only=True, eq=False)
class CriteriaSettings:
    """Settings of acceptance criteria.

    Attributes:
        auto_parse: Whether the criteria of a ticket are read when a session on it starts.
        patterns: Further headings that criteria stand under, besides the usual ones.
        require_evidence_for_verification: Whether a criterion is verified only with evidence.
    """

    auto_parse: bool = field(default=True, metadata=SAFE)
    patterns: tuple[str, ...] = field(default=(), metadata=SAFE)
    require_evidence_for_verification: bool = field(default=False, metadata=SAFE)


CRITERIA: Final = SettingsSection(name="acceptance_criteria", settings=CriteriaSettings)
