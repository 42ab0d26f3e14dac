from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType

import attrs
import pytest
from attrs import evolve
from tests.jira.changes import site_changes

from rove_core import (
    Facts,
    ItemStatus,
    LoginRefused,
    MalformedReply,
    NamedValue,
    RateLimited,
    RoveError,
    ScopeMissing,
    WrongCall,
)
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock
from rove_core.testing.faults import Fault
from rove_core.testing.login_tests import LoginTests
from rove_core.testing.recording_tests import RecordingTests
from rove_core.testing.renewal_tests import RenewalTests
from rove_sim import Company, sample_company
from rove_sim.company_jira import (
    File,
    RemoteLink,
    Ticket,
    TicketChange,
    TicketComment,
    TicketLink,
    WikiPage,
)
from rove_sim.jira import Jira, JiraDataCenter
from rove_sim.server import serve


def _at(day: int) -> datetime:
    return datetime(2024, 11, day, 9, tzinfo=UTC)


#: A ticket with what the sample company's tickets lack.
AUDIT = Ticket(
    key="TB-800",
    title="Audit of the vault",
    description="Who has the **keys**?",
    type="Story",
    status="In Progress",
    priority="High",
    author="victor",
    assignee="sarah",
    created=_at(1),
    updated=_at(9),
    labels=("vault",),
    components=("api", "vault"),
    sprint="Sprint 4",
    due="2024-12-24",
    fields={"Story Points": 5, "Rollout Plan": "First the pilot, then everybody"},
    links=(TicketLink(type="Blocks", to="TB-139"), TicketLink(type="Duplicate", to="TB-123")),
    remote_links=(RemoteLink(title="The plan", url="https://plan.example/1", summary="By hand"),),
    attachments=(File(name="keys.md", author="sarah", at=_at(2), text="Three keys."),),
    comments=(
        TicketComment(author="sarah", at=_at(4), text="Since when?", updated=_at(6)),
        TicketComment(author="victor", at=_at(5), text="Since May, @sarah."),
    ),
    changelog=(
        TicketChange(at=_at(3), author="victor", field="priority", before="Low", after="High"),
        TicketChange(at=_at(7), author="victor", field="Rank", before="", after="Ranked higher"),
    ),
)
#: A part of it.
PART = Ticket(
    key="TB-801",
    title="Keys of the pilot",
    description="Hourly.",
    type="Sub-task",
    status="Done",
    resolution="Done",
    author="sarah",
    created=_at(2),
    updated=_at(8),
    parent="TB-800",
)
#: A ticket of what people write about code, which is easily read for markup.
LITERAL = Ticket(
    key="TB-802",
    title="Types of <T> & *more*",
    description="Use `Map<K, V>`, not <b> or 2*3*4, see https://plan.example/a?b=1&c=2.\n\n"
    "Neither TB-800 nor TB-801 has it.",
    type="Task",
    author="sarah",
    assignee="victor",
    created=_at(2),
    updated=_at(7),
    comments=(
        TicketComment(
            id="80201",
            author="ruth",
            at=_at(3),
            text="If a<b && c>d, hourly: `x<y`, 2*3*4.",
        ),
    ),
)


def _company() -> Company:
    """Return the sample company with what its tickets lack."""
    company = sample_company()
    return evolve(company, tickets=(*company.tickets, AUDIT, PART, LITERAL))


@asynccontextmanager
async def _northwind() -> AsyncIterator[Vendor]:
    company = _company()
    clock = VirtualClock()
    site = Jira(company, clock=clock)
    site.reader_token = "token-of-a-reader"  # noqa: S105  # nobody's
    changes = site_changes(site, clock)
    async with serve(site) as base_url:
        answers = {"email": "robin@northwind.example", "token": company.token}
        yield Vendor(
            base_url=base_url,
            answers=answers,
            steps=changes.steps(),
            there=lambda: changes.there,
            reader=Vendor(base_url=base_url, answers={**answers, "token": site.reader_token}),
        )


FAILURES = MappingProxyType(
    {
        "a scope": Fault(status=401, body=b'{"message": "scope does not match"}'),
        "reason": Fault(status=401, headers={"x-seraph-loginreason": "AUTHENTICATED_FAILED"}),
        "captcha": Fault(status=403, headers={"x-seraph-loginreason": "AUTHENTICATION_DENIED"}),
        "fields": Fault(status=400, body=b'{"errorMessages": ["No."], "errors": {"due": "When?"}}'),
        "limit": Fault(status=429, headers={"ratelimit-reason": "jira-burst-based"}),
        "gone": Fault(status=410, body=b'{"errorMessages": ["It was removed."]}'),
    }
)


ERRORS: Mapping[str, type[RoveError]] = MappingProxyType(
    {
        "a scope": ScopeMissing,
        "reason": LoginRefused,
        "captcha": LoginRefused,
        "fields": WrongCall,
        "limit": RateLimited,
        "gone": MalformedReply,
    }
)


#: What TB-139 says, by paragraphs.
DESCRIPTION = (
    "Many enterprises have SAML 2.0 only. Support it next to OAuth2, with metadata upload in",
    "the console.",
    "Asked by: Globex (ADFS in the warehouses), two prospects.",
)


class TestJira(SourceTests):
    kind = "jira"
    recordings = Path(__file__).with_name("recordings")
    vendor_failures = FAILURES
    failure_errors = ERRORS
    change_errors = ERRORS
    private = ()
    unsearched = ("file",)
    known, known_kind, unknown = "TB-139", "ticket", "TB-999"
    user = "Robin Doe"
    query = "authentication flow"
    work_container = "TB"
    work_statuses = MappingProxyType(
        {"To Do": "todo", "In Progress": "in_progress", "In Review": "in_progress", "Done": "done"}
    )
    work_fields = MappingProxyType(
        {
            "type": "ticket",
            "type_name": "Story",
            "status": ItemStatus(name="Won't Do", category="done"),
            "title": "SAML for enterprise customers",
            "description": "{} {}\n\n{}".format(*DESCRIPTION),
            "priority": 2,
            "priority_name": "Medium",
            "assignee": "Sarah Chen",
            "labels": ("enterprise", "saml"),
            "parent": "TB-100",
            "estimate_unit": "points",
            "created": datetime(2024, 12, 16, 14, 40, tzinfo=UTC),
            "updated": datetime(2025, 1, 13, 16, 5, tzinfo=UTC),
        }
    )
    work_guard = False
    comment_edits = True
    mentions = ("see TB-139.", "(https://northwind.atlassian.net/browse/TB-139)")
    in_fields = MappingProxyType(
        {
            "ticket_id": ("TB-801", ("TB-801",)),
            "ticket_title": ("SAML", ("TB-139",)),
            "ticket_description": ("hourly", ("TB-801",)),
            "comments": ("hourly", ("TB-802",)),
            "related_tickets": ("TB-800", ("TB-123", "TB-139", "TB-801")),
            "labels": ("vault", ("TB-800",)),
        }
    )
    expected = ExpectedItem(
        id="TB-139",
        role="ticket",
        title="SAML for enterprise customers",
        author="Victor Almeida",
        timestamp=datetime(2025, 1, 13, 16, 5, tzinfo=UTC),
        url="https://northwind.atlassian.net/browse/TB-139",
        words=DESCRIPTION,
        facts=Facts(
            created=datetime(2024, 12, 16, 14, 40, tzinfo=UTC),
            status=ItemStatus(name="Won't Do", category="done"),
            resolution="Won't Do",
            type="Story",
            priority="Medium",
            assignees=("Sarah Chen",),
            reporter="Victor Almeida",
            labels=("enterprise", "saml"),
        ),
        links=(
            ("parent", "TB-100", "Enterprise sign-in"),
            ("relates", "TB-123", "User Authentication Flow"),
            ("blocked_by", "TB-800", "Audit of the vault"),
        ),
        thread=(
            ExpectedItem(
                author="Ruth Adeyemi",
                timestamp=datetime(2024, 12, 17, 15, 0, tzinfo=UTC),
                url="/browse/TB-139",
                words=("- Status: To Do → Deferred",),
                facts=Facts(history=True),
            ),
            ExpectedItem(
                author="Ruth Adeyemi",
                timestamp=datetime(2024, 12, 17, 15, 2, tzinfo=UTC),
                url="/browse/TB-139?focusedCommentId=10776",
                words=(
                    "Design meeting of December 17: SAML is out of scope for the pilot.",
                    "Stays open for later.",
                ),
            ),
            ExpectedItem(
                author="Priya Nair",
                timestamp=datetime(2025, 1, 9, 10, 15, tzinfo=UTC),
                url="/browse/TB-139",
                words=("- Status: Deferred → In Progress",),
                facts=Facts(history=True),
            ),
            ExpectedItem(
                author="Priya Nair",
                timestamp=datetime(2025, 1, 9, 10, 16, tzinfo=UTC),
                url="/browse/TB-139?focusedCommentId=10877",
                words=(
                    "Reopened after the outage. SAML is in scope for the pilot from now on, Globex",
                    "asked for it as an alternative.",
                ),
            ),
            ExpectedItem(
                author="Sarah Chen",
                timestamp=datetime(2025, 1, 9, 10, 45, tzinfo=UTC),
                url="/browse/TB-139?focusedCommentId=10883",
                words=(
                    "4 weeks, and a second stack of cryptography to look after. A rotation of keys",
                    "would have hurt us in the same way: SAML metadata has certificates in it and",
                    "they expire too.",
                ),
            ),
            ExpectedItem(
                author="Ruth Adeyemi",
                timestamp=datetime(2025, 1, 13, 16, 4, tzinfo=UTC),
                url="/browse/TB-139?focusedCommentId=10919",
                words=(
                    "Go/no-go of January 13: SAML is out of scope for the pilot again. Globex",
                    "registers an OIDC application in Entra ID, also for the warehouses. Closing,",
                    "a new ticket if another customer needs it.",
                ),
            ),
            ExpectedItem(
                author="Ruth Adeyemi",
                timestamp=datetime(2025, 1, 13, 16, 5, tzinfo=UTC),
                url="/browse/TB-139",
                words=("- Status: In Progress → Won't Do",),
                facts=Facts(history=True),
            ),
        ),
    )
    more_expected = (
        ExpectedItem(
            id="TB-800",
            author="Victor Almeida",
            timestamp=_at(9),
            words=(
                "Who has the **keys**?",
                "**Rollout Plan:**",
                "First the pilot, then everybody",
                "**Linked pages:**",
                "- The plan: By hand: https://plan.example/1",
            ),
            facts=Facts(
                created=_at(1),
                status=ItemStatus(name="In Progress", category="in_progress"),
                priority="High",
                assignees=("Sarah Chen",),
                reporter="Victor Almeida",
                due=date(2024, 12, 24),
                labels=("vault",),
                components=("api", "vault"),
                iteration="Sprint 4",
                estimate=5.0,
                attachments=("keys.md",),
                fields=(
                    NamedValue(name="Sprint", value="Sprint 4"),
                    NamedValue(name="Story Points", value="5"),
                ),
            ),
            links=(
                ("child", "TB-801", "Keys of the pilot"),
                ("blocks", "TB-139", "SAML for enterprise customers"),
                ("duplicates", "TB-123"),
            ),
            thread=(
                ExpectedItem(
                    author="Victor Almeida",
                    timestamp=_at(3),
                    words=("- Priority: Low → High",),
                    facts=Facts(history=True),
                ),
                ExpectedItem(
                    author="Sarah Chen",
                    timestamp=_at(6),
                    words=("Since when?",),
                    facts=Facts(on="TB-800", created=_at(4)),
                ),
                ExpectedItem(
                    author="Victor Almeida", timestamp=_at(5), words=("Since May, @Sarah Chen.",)
                ),
            ),
        ),
        ExpectedItem(
            id="TB-801",
            words=("Hourly.",),
            facts=Facts(
                status=ItemStatus(name="Done", category="done"), resolution="Done", type="Sub-task"
            ),
            links=(("parent", "TB-800", "Audit of the vault"),),
            thread=(),
        ),
        ExpectedItem(
            id="TB-123",
            links=(("duplicated_by", "TB-800", "Audit of the vault"),),
        ),
        ExpectedItem(
            id="TB-802",
            role="ticket",
            title="Types of <T> & *more*",
            author="Sarah Chen",
            timestamp=_at(7),
            words=(
                r"Use `Map<K, V>`, not \<b> or 2\*3\*4, see https://plan.example/a?b=1&c=2.",
                "Neither TB-800 nor TB-801 has it.",
            ),
            facts=Facts(
                created=_at(2),
                status=ItemStatus(name="To Do", category="todo"),
                type="Task",
                priority="Medium",
                assignees=("Victor Almeida",),
                reporter="Sarah Chen",
            ),
            thread=(
                ExpectedItem(
                    author="Ruth Adeyemi",
                    timestamp=_at(3),
                    url="/browse/TB-802?focusedCommentId=80201",
                    words=(r"If a\<b && c>d, hourly: `x<y`, 2\*3\*4.",),
                    facts=Facts(on="TB-802", created=_at(3)),
                ),
            ),
        ),
        ExpectedItem(
            id="TB-800/file/keys.md",
            kind="file",
            role="file",
            author="Sarah Chen",
            words=("Three keys.",),
        ),
    )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give the site of the sample company."""
        return _northwind()


@asynccontextmanager
async def _data_center() -> AsyncIterator[Vendor]:
    company = _company()
    clock = VirtualClock()
    site = JiraDataCenter(company, clock=clock)
    site.reader_token = "token-of-a-reader"  # noqa: S105  # nobody's
    changes = site_changes(site, clock)
    async with serve(site) as base_url:
        yield Vendor(
            base_url=base_url,
            way="pat",
            answers={"token": company.token},
            steps=changes.steps(),
            there=lambda: changes.there,
            reader=Vendor(base_url=base_url, way="pat", answers={"token": site.reader_token}),
        )


class TestDataCenter(SourceTests):
    kind = "jira"
    recordings = Path(__file__).with_name("recordings")
    private = ()
    unsearched = ("file",)
    known, known_kind, unknown = "TB-139", "ticket", "TB-999"
    user = "Robin Doe"
    query = "authentication flow"
    work_container = "TB"
    work_statuses = TestJira.work_statuses
    work_fields = TestJira.work_fields
    work_guard = False
    comment_edits = True
    mentions = ("see TB-139.",)
    in_fields = TestJira.in_fields
    expected = attrs.evolve(TestJira.expected, url="/browse/TB-139")
    more_expected = TestJira.more_expected

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give the company's own Jira."""
        return _data_center()


@asynccontextmanager
async def _with_an_app() -> AsyncIterator[Vendor]:
    company = _company()
    site = Jira(company, clock=VirtualClock())
    site.pages["2201"] = WikiPage(
        id="2201", title="Kick-off", text="We **decided**: `a<b>` stays.", author="mike", at=_at(3)
    )
    answers = {"client_id": site.oauth.client_id, "client_secret": site.oauth.client_secret}
    async with serve(site) as base_url:
        settings = {"confluence": True, "writes": True}
        yield Vendor(base_url=base_url, way="oauth", answers=answers, settings=settings)


class TestJiraWithAnApp(LoginTests, RenewalTests, RecordingTests):
    """Logins with a browser, and pages of the site's Confluence."""

    kind = "jira"
    recordings = Path(__file__).with_name("recordings")
    private = ()
    unsearched = ("file",)
    known, known_kind, unknown = "TB-139", "ticket", "TB-999"
    user = "Robin Doe"
    query = "authentication flow"
    mentions = (
        *TestJira.mentions,
        "https://northwind.atlassian.net/wiki/spaces/TB/pages/2201/Kick-off",
        "https://northwind.atlassian.net/wiki/pages/viewpage.action?pageId=2201",
    )
    more_expected = (
        ExpectedItem(id="page/2201", kind="page"),
        ExpectedItem(id="page/9", kind="page"),
        ExpectedItem(id="TB-800"),
    )

    @pytest.fixture
    def vendor(self) -> AbstractAsyncContextManager[Vendor]:
        """Give the site, which one enters with a browser."""
        return _with_an_app()
