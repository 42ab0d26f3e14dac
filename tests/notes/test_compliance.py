from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import pytest
from tests.changes import changing
from tests.notes.changes import folder_changes

from rove_core import Facts, ItemStatus, NamedValue
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock

PILOT = """---
title: The pilot
date: 2024-12-05T10:30:00+01:00
status: draft
tags: [pilot, auth]
attendees: Ann Lee, Ben Fox
---
It starts in *May*.
"""
WEEKLY = """WEBVTT

00:01.000 --> 00:04.000
<v Ann Lee>When does <it> start?

00:05.000 --> 00:06.000
<v Ann Lee>In May?

01:02:03.500 --> 01:02:05.000
<v Ben Fox>In June.
"""


class TestNotes(SourceTests):
    kind = "notes"
    recordings = Path(__file__).with_name("recordings")
    known, known_kind, unknown = "notes/kick-off.md", "note", "notes/gone.md"
    user = "notes"
    query = "oauth2"
    in_fields = MappingProxyType(
        {
            "note_title": ("plan", ("notes/below/plan.txt",)),
            "note_content": ("plan", ("notes/x y.md",)),
        }
    )
    private = ()
    mentions = ("see notes/kick-off.md", "notes/kick-off.md", "[it](notes/kick-off.md)")
    expected = ExpectedItem(
        id="notes/kick-off.md",
        role="page",
        title="kick-off",
        timestamp=datetime(2024, 12, 1, tzinfo=UTC),
        url="/notes/kick-off.md",
        words=("OAuth2 it is.",),
    )
    more_expected = (
        ExpectedItem(
            id="notes/old/pilot.md",
            title="The pilot",
            timestamp=datetime(2024, 12, 5, 9, 30, tzinfo=UTC),
            words=("It starts in *May*.",),
            facts=Facts(
                status=ItemStatus(name="draft"),
                labels=("pilot", "auth"),
                fields=(NamedValue(name="attendees", value="Ann Lee, Ben Fox"),),
            ),
            thread=(),
        ),
        ExpectedItem(
            id="notes/old/2024-12-06 weekly.vtt",
            title="2024-12-06 weekly",
            timestamp=datetime(2024, 12, 6, tzinfo=UTC),
            thread=(
                ExpectedItem(
                    author="Ann Lee",
                    timestamp=datetime(2024, 12, 6, 0, 0, 1, tzinfo=UTC),
                    words=("When does \\<it> start? In May?",),
                    facts=Facts(on="notes/old/2024-12-06 weekly.vtt", offset=1),
                ),
                ExpectedItem(
                    author="Ben Fox",
                    timestamp=datetime(2024, 12, 6, 1, 2, 3, 500_000, tzinfo=UTC),
                    words=("In June.",),
                    facts=Facts(offset=3723),
                ),
            ),
        ),
        ExpectedItem(id="notes/old/wide.txt", words=(r"Größe \*a\*",)),
        ExpectedItem(id="notes/old/old.txt", words=("Größe",)),
        ExpectedItem(
            id="notes/old/headed.md",
            title="Rollout",
            words=("```\n# Code\n```", "# Rollout", "Slowly, if `a < b`: <https://a.example/>."),
        ),
    )

    @pytest.fixture
    def vendor(
        self, folder: Path, write: Callable[..., Path]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give a folder with three notes, changed on different days."""
        for day, name in enumerate(("kick-off.md", "below/plan.txt", "x y.md"), 1):
            write(name, f"OAuth2 it is.{' See the plan.' if name == 'x y.md' else ''}", day=day)
        write("old/pilot.md", PILOT, day=5)
        write("old/2024-12-06 weekly.vtt", WEEKLY, day=6)
        write("old/wide.txt", "Größe *a*".encode("utf-16"), day=7)
        write("old/old.txt", "Größe".encode("cp1252"), day=8)
        write(
            "old/headed.md",
            "```\n# Code\n```\n# Rollout #\n\nSlowly, if `a < b`: <https://a.example/>.",
            day=9,
        )
        vendor = Vendor(settings={"folder": str(folder)})
        return changing(nullcontext(vendor), folder_changes(folder, VirtualClock()))
