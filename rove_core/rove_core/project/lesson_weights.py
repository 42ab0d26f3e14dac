"""Weights learned from this project's links, in ``.rove/weights.json``.

The file may be removed: then the general weights are used, until something is learned again.
"""

import json
from datetime import datetime
from typing import TYPE_CHECKING, Final

import attrs
from attrs import frozen

from rove_core.build.rank.lessons import Gain, LearnedLessons, Lesson, Score
from rove_core.build.rank.weights import DEFAULT, SIGNALS_VERSION, RankWeights, fits_signals
from rove_core.store.document_items import read_ticket, read_uses
from rove_core.store.documents import list_documents
from rove_core.store.files import read_file, write_atomic
from rove_core.wire.structure import TOLERANT

if TYPE_CHECKING:
    import sqlite3

    from rove_core.project.layout import ProjectPaths

#: What a file that Rove did not write raises when it is read.
_UNUSABLE: Final = (
    *(ValueError, TypeError, KeyError, RecursionError),
    attrs.exceptions.NotAnAttrsClassError,
)


@frozen(kw_only=True)
class KeptWeights:
    """Stored weights, with the data they were learned from.

    Attributes:
        version: Of which signals they are.
        learned_at: When.
        tickets: From how many tickets; 0 where the general ones proved as good.
        general: How good the general ones are on these tickets.
        own: How good those learned from the other tickets of the project are.
        gain: By how much F1 is better by the learned ones.
        values: What one of each signal adds, by its name.
    """

    version: int
    learned_at: datetime
    tickets: int
    general: Score
    own: Score
    gain: Gain
    values: dict[str, float]

    @property
    def weights(self) -> RankWeights:
        """The weights themselves."""
        return RankWeights(tuple(self.values[name] for name in DEFAULT))


def read_weights(places: "ProjectPaths") -> KeptWeights | None:
    """Return the learned weights; None if there are none, or only unusable ones."""
    try:
        fields = json.loads(read_file(places.weights_file).decode())
        record = TOLERANT.structure(fields, KeptWeights)
    except (OSError, *_UNUSABLE):
        return None
    return record if fits_signals(record.version, record.values) else None


def keep_weights(places: "ProjectPaths", learned: LearnedLessons, at: datetime) -> KeptWeights:
    """Store learned weights for future builds."""
    record = KeptWeights(
        version=SIGNALS_VERSION,
        learned_at=at,
        tickets=learned.tickets,
        general=learned.general,
        own=learned.own,
        gain=learned.gain,
        values=dict(zip(DEFAULT, learned.weights.values, strict=True)),
    )
    fields = {**attrs.asdict(record), "learned_at": at.isoformat()}
    write_atomic(places.weights_file, json.dumps(fields, indent=1).encode())
    return record


def lessons(db: "sqlite3.Connection") -> list[Lesson]:
    """Return the lessons from a project's documents."""
    found = []
    for record in list_documents(db):
        ticket = read_ticket(db, record.account, record.ticket_id)
        uses = read_uses(db, record.account, record.ticket_id)
        if ticket is not None and uses:
            candidates = tuple(use.candidate for use in uses if not use.candidate.is_bare)
            found.append(Lesson(ticket=ticket, candidates=candidates))
    return found
