import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import date
from pathlib import Path
from types import MappingProxyType

import pytest
from attrs import evolve
from tests.asana.changes import workspace_changes
from tests.asana.conftest import AUDIT, KEYS, SIGN_IN, VAULT, WORKSPACE, company, day
from tests.changes import changing

from rove_core import (
    Conflict,
    Facts,
    ItemStatus,
    LoginRefused,
    MalformedReply,
    NamedValue,
    RoveError,
    ScopeMissing,
    StatusCategory,
    WrongCall,
)
from rove_core.testing import LOOKALIKES, ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_core.testing.faults import Fault
from rove_core.testing.recording_tests import RecordingTests
from rove_sim.asana import Asana
from rove_sim.company_asana import (
    AsanaAttachment,
    AsanaPlace,
    AsanaStory,
    AsanaTask,
    AsanaValue,
    asana_gid,
)
from rove_sim.server import serve

URL = f"https://app.asana.com/1/{WORKSPACE}/task"
EXPECTED = ExpectedItem(
    id=KEYS,
    role="ticket",
    title="Rotate keys",
    author="Ann Lee",
    timestamp=day(11),
    url=f"{URL}/{KEYS}",
    words=(
        "Once a **day**, if a\\<b.",
        "See the vault.",
        "Attached:\n- PR 847: https://github.com/acme/api/pull/847\n- plan.pdf",
    ),
    facts=Facts(
        short_name="TB-2",
        created=day(0),
        status=ItemStatus(name="In progress", category="in_progress"),
        labels=("auth", "pilot", "keys", "needs review"),
        project="Pilot",
        priority="High",
        assignees=("Ben Fox",),
        due=date(2024, 12, 24),
        fields=(NamedValue(name="Customer", value="Globex"),),
        attachments=("plan.pdf",),
    ),
    links=(
        ("parent", SIGN_IN, "Sign in"),
        ("child", AUDIT, "Audit"),
        ("blocked_by", VAULT),
    ),
    thread=(
        ExpectedItem(
            author="Ann Lee", timestamp=day(9), url=f"{URL}/{KEYS}", words=("How often?",)
        ),
        ExpectedItem(
            author="Ben Fox",
            timestamp=day(10),
            url=f"{URL}/{KEYS}",
            words=("Every *hour*.\nBy hand.",),
        ),
        ExpectedItem(
            author="Ben Fox",
            timestamp=day(11),
            url=f"{URL}/{KEYS}",
            words=('moved this Task from "To do" to "In progress" in Pilot',),
            facts=Facts(history=True),
        ),
    ),
)
#: A task of what people write about code, which is easily read for markup.
LITERAL = AsanaTask(
    gid="1200000000000008",
    name="Types of <T> & *more*",
    notes="Use <code>Map&lt;K, V&gt;</code>, not &lt;b&gt; or 2*3*4, see "
    '<a href="https://plan.example/a?b=1&amp;c=2">https://plan.example/a?b=1&amp;c=2</a>.',
    author="ben",
    assignee="ann",
    created=day(1),
    updated=day(6),
    places=(AsanaPlace(project="Pilot", section="Done"),),
    due=date(2024, 12, 30),
    values=(AsanaValue(field="Story points", value="2.5"),),
    stories=(
        AsanaStory(
            author="ada",
            at=day(2),
            text="If a&lt;b &amp;&amp; c&gt;d, [it](that) &lt;!-- "
            f'<a data-asana-gid="{asana_gid("user/ben")}" data-asana-type="user">@Ben Fox</a>',
        ),
        AsanaStory(author="ann", at=day(3), kind="assigned", text="assigned to Ann Lee"),
    ),
)
MORE_EXPECTED = (
    ExpectedItem(
        id=LITERAL.gid,
        title="Types of <T> & *more*",
        author="Ben Fox",
        timestamp=day(6),
        words=(r"Use `Map<K, V>`, not \<b> or 2\*3\*4, see https://plan.example/a?b=1&c=2.",),
        facts=Facts(
            created=day(1),
            status=ItemStatus(name="Done", category="done"),
            project="Pilot",
            assignees=("Ann Lee",),
            due=date(2024, 12, 30),
            fields=(NamedValue(name="Story points", value="2.5"),),
        ),
        thread=(
            ExpectedItem(
                author="Ada Ray",
                timestamp=day(2),
                words=(r"If a\<b && c>d, [it\](that) \<!-- @Ben Fox",),
                facts=Facts(on="Types of <T> & *more*", created=day(2)),
            ),
            ExpectedItem(
                author="Ann Lee",
                timestamp=day(3),
                words=("assigned to Ann Lee",),
                facts=Facts(history=True),
            ),
        ),
    ),
    ExpectedItem(
        id=VAULT,
        author="Ben Fox",
        words=("Holds the keys",),
        facts=Facts(created=day(3), status=ItemStatus(name="Completed", category="done")),
        links=(("blocks", KEYS),),
    ),
    ExpectedItem(id=AUDIT, links=(("parent", KEYS),), thread=()),
)
MENTIONS = (
    f"see https://app.asana.com/1/{WORKSPACE}/project/1200000000000099/task/{KEYS}?focus=true",
    f"https://app.asana.com/0/1200000000000099/{KEYS}/f",
)


#: The task of the same number in a workspace that is not the account's.
ELSEWHERE = f"see https://app.asana.com/1/999/task/{KEYS}"

STATUSES: Mapping[str, StatusCategory] = MappingProxyType(
    {"In progress": "in_progress", "Completed": "done", "To do": "todo", "Done": "done"}
)
FIELDS: Mapping[str, object] = MappingProxyType(
    {
        "type": "subtask",
        "type_name": "Subtask",
        "title": "Rotate keys",
        "description": "Once a **day**, if a\\<b.\nSee the vault.",
        "status": ItemStatus(name="In progress", category="in_progress"),
        "priority": 3,
        "priority_name": "High",
        "estimate_unit": "points",
        "assignee": "Ben Fox",
        "labels": ("auth", "pilot", "keys", "needs review"),
        "parent": SIGN_IN,
        "due": date(2024, 12, 24),
        "created": day(0),
        "updated": day(11),
    }
)
IN_FIELDS: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        "ticket_title": ("vault", (VAULT,)),
        "ticket_description": ("vault", (KEYS,)),
        "labels": ("keys", (KEYS,)),
    }
)


FAILURES = MappingProxyType(
    {
        name: Fault(status=status, body=json.dumps({"errors": [{"message": message}]}).encode())
        for name, status, message in (
            ("wrong", 400, "project: Not a recognized ID"),
            ("expired", 400, "offset: Your pagination token has expired."),
            ("no login", 401, "Not Authorized"),
            ("unpaid", 402, "Payment Required"),
            ("forbidden", 403, "Forbidden"),
            ("sync", 412, "Sync token invalid or too old"),
        )
    }
    | {"no data": Fault(body=b"{}")}
)


ERRORS: Mapping[str, type[RoveError]] = MappingProxyType(
    {
        "wrong": MalformedReply,
        "expired": MalformedReply,
        "no login": LoginRefused,
        "unpaid": ScopeMissing,
        "forbidden": ScopeMissing,
        "no data": MalformedReply,
        "sync": Conflict,
    }
)


class TestAsana(SourceTests):
    kind = "asana"
    recordings = Path(__file__).with_name("recordings")
    vendor_failures = FAILURES
    failure_errors = ERRORS
    change_errors = MappingProxyType({**ERRORS, "wrong": WrongCall, "expired": WrongCall})
    private = ()
    known, known_kind, unknown = KEYS, "task", "1200000000099999"
    user = "Ann Lee"
    query = "keys"
    in_fields = IN_FIELDS
    mentions = MENTIONS
    no_mentions = (*LOOKALIKES, ELSEWHERE)
    expected = EXPECTED
    more_expected = MORE_EXPECTED
    work_container = asana_gid("project/Pilot")
    work_statuses = STATUSES
    work_fields = FIELDS
    work_guard = False
    comment_edits = False

    @pytest.fixture
    def vendor(
        self, workspace: Asana, northwind: AbstractAsyncContextManager[Vendor]
    ) -> AbstractAsyncContextManager[Vendor]:
        """Give the simulator."""
        workspace.reading_token = "CANARY-asana-token-of-a-reader"  # noqa: S105  # nobody's
        workspace.put(LITERAL)
        changes = workspace_changes(workspace, VirtualClock())
        return _with_a_reader(changing(northwind, changes), workspace)


@asynccontextmanager
async def _with_a_reader(
    opened: AbstractAsyncContextManager[Vendor], workspace: Asana
) -> AsyncIterator[Vendor]:
    async with opened as vendor:
        answers = {"token": workspace.reading_token}
        yield evolve(vendor, reader=Vendor(base_url=vendor.base_url, answers=answers))


class TestAsanaWithAnApp(SourceTests):
    kind = "asana"
    recordings = Path(__file__).with_name("recordings")
    private = ()
    known, known_kind, unknown = KEYS, "task", "1200000000099999"
    user = "Ann Lee"
    query = "keys"
    in_fields = IN_FIELDS
    mentions = MENTIONS
    no_mentions = (*LOOKALIKES, ELSEWHERE)
    expected = EXPECTED
    more_expected = MORE_EXPECTED
    work_container = asana_gid("project/Pilot")
    work_statuses = STATUSES
    work_fields = FIELDS
    work_guard = False
    comment_edits = False

    @pytest.fixture
    def vendor(self, workspace: Asana) -> AbstractAsyncContextManager[Vendor]:
        """Give the simulator on the free plan, which one enters with a browser."""
        free = Asana(workspace.company, conduct=workspace.conduct)
        free.plan = "free"
        free.put(LITERAL)
        return changing(_with_an_app(free), workspace_changes(free, VirtualClock()))


@asynccontextmanager
async def _with_an_app(workspace: Asana) -> AsyncIterator[Vendor]:
    answers = {
        "client_id": workspace.oauth.client_id,
        "client_secret": workspace.oauth.client_secret,
    }
    async with serve(workspace) as base_url:
        reader = Vendor(base_url=base_url, answers=answers, way="oauth")
        yield evolve(reader, settings={"writes": True}, reader=reader)


#: A description with all that people can write into one.
RICH = """<h1>Plan &amp; keys</h1><h2>Why</h2>Because <em>a&lt;b</em> and <s>not</s> <u>so</u>.
<ol><li>one <code>x</code><ul><li>below it</li></ul></li><li>two</li></ol>
<ul><li>a <a href="https://plan.example/a?b=1&amp;c=2">link</a></li></ul>
<pre>code *b*
more</pre><blockquote>quoted
twice</blockquote><hr/>
<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>
<a href="javascript:alert(1)">odd</a>"""
RICH_TASK = AsanaTask(
    gid="1200000000000007",
    name="Plan of the keys & more",
    notes=RICH,
    author="ben",
    assignee="ann",
    created=day(5),
    updated=day(13),
    places=(AsanaPlace(project="Pilot", section="Done"),),
    due=date(2024, 12, 31),
    depends_on=(KEYS,),
    values=(
        AsanaValue(field="Priority", value="Urgent"),
        AsanaValue(field="Story points", value="2.5"),
        AsanaValue(field="Ticket", value="TB-7"),
    ),
    stories=(
        AsanaStory(author="ann", at=day(6), text="First &amp; <s>last</s>", edited=day(8)),
        AsanaStory(author="ben", at=day(7), text="<ul><li>keys</li></ul>"),
        AsanaStory(author="ben", at=day(9), kind="due_date_changed", text="changed the due date"),
        AsanaStory(author="ben", at=day(9), kind="assigned", text="assigned to Ann Lee"),
        AsanaStory(author="ben", at=day(12), kind="marked_complete", text="marked complete"),
        AsanaStory(author="ben", at=day(13), kind="marked_incomplete", text="marked incomplete"),
    ),
    attachments=(AsanaAttachment(name="keys.txt", at=day(6), size=5),),
)


class TestAsanaRichText(RecordingTests):
    """Recordings of a task with all formats, edited comments and further history."""

    kind = "asana"
    recordings = Path(__file__).with_name("recordings")
    private = ()
    known, known_kind, unknown = RICH_TASK.gid, "task", "1200000000099999"
    query = "keys"
    mentions = MENTIONS

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give the workspace with the task."""
        keys = company()
        asana = Asana(evolve(keys, tasks=(*keys.tasks, RICH_TASK)), clock=VirtualClock())
        return _opened(asana)


@asynccontextmanager
async def _opened(asana: Asana) -> AsyncIterator[Vendor]:
    async with serve(asana) as base_url:
        yield Vendor(base_url=base_url, answers={"token": asana.company.token})
