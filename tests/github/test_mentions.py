"""What GitHub knows as its own in anybody's text."""

import pytest

from rove_core import Account, ItemRef
from rove_github import rove_sources
from rove_github.references import GitHubNames, web_host
from rove_github.settings import GitHubSettings

HERE = ItemRef(account="github", kind="pr", id="acme/web#1")
ABROAD = ItemRef(account="jira", kind="ticket", id="TB-123")
SHA = "0123456789abcdef0123456789abcdef01234567"


def _named(text: str, origin: ItemRef | None = None, *repositories: str) -> list[tuple[str, str]]:
    names = GitHubNames("github", "github.com", repositories)
    return [(ref.kind, ref.id) for ref in names.recognise(text, origin)]


@pytest.mark.parametrize(
    ("text", "kind", "id_"),
    [
        ("acme/api#847", "issue", "acme/api#847"),
        ("(see acme/api#847)", "issue", "acme/api#847"),
        ("https://github.com/acme/api/pull/847", "pr", "acme/api#847"),
        ("<https://github.com/acme/api/pull/847/files#r1>", "pr", "acme/api#847"),
        ("[it](https://github.com/acme/api/pull/847#issuecomment-5).", "pr", "acme/api#847"),
        ("https://github.com/acme/api/issues/12?x=1", "issue", "acme/api#12"),
        (
            "https://github.com/acme/api/discussions/31#discussioncomment-7",
            "discussion",
            "acme/api#31",
        ),
        (f"https://github.com/acme/api/commit/{SHA}", "commit", f"acme/api@{SHA}"),
        ("http://github.com/acme/a.b_c/commit/0123abc", "commit", "acme/a.b_c@0123abc"),
        (f"https://github.com/acme/api/pull/847/commits/{SHA}", "pr", "acme/api#847"),
    ],
)
def test_full_names_are_known_anywhere(text: str, kind: str, id_: str) -> None:
    """An id with its repository and a page mean the same wherever they stand."""
    assert _named(text) == [(kind, id_)]
    assert _named(text, ABROAD, "acme/api", "acme/web") == [(kind, id_)]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("请看acme/api#847。修正はacme/api#12で", ["acme/api#847", "acme/api#12"]),
        ("éacme/api#847é עacme/api#12ע", ["acme/api#847", "acme/api#12"]),
        (
            "_acme/api#847_ __acme/api#12__ *acme/api#13*",
            ["acme/api#847", "acme/api#12", "acme/api#13"],
        ),
        ("_PR #847_ 请看#12。 _#13_", ["acme/web#847", "acme/web#12", "acme/web#13"]),
        ("acme/api#847a acme/api#847_b x_#13 #13_b", []),
    ],
)
def test_an_id_ends_where_its_script_ends(text: str, ids: list[str]) -> None:
    """Scripts without spaces, accented letters and emphasis may stand beside an id."""
    assert [id_ for _, id_ in _named(text, HERE)] == ids


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("PR #847", "pr"),
        ("pr#847", "pr"),
        ("pull request #847 is merged", "pr"),
        ("issue #847", "issue"),
        ("discussion #847", "discussion"),
        ("GH-847", "issue"),
        ("fixed in #847.", "issue"),
    ],
)
def test_short_forms_mean_the_repository_at_hand(text: str, kind: str) -> None:
    """That of the text they stand in, else the only one; with several nobody can know."""
    assert _named(text, HERE, "acme/api") == [(kind, "acme/web#847")]
    assert _named(text, ABROAD, "acme/api") == [(kind, "acme/api#847")]
    assert _named(text, None, "acme/api") == [(kind, "acme/api#847")]
    assert _named(text, None, "acme/api", "acme/web") == []
    assert _named(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("/pull/847", "pr"),
        ("(see pull/847/files)", "pr"),
        ("请看/pull/847。", "pr"),
        ("github.com/acme/web/pull/847", "pr"),
        ("acme/web/issues/847", "issue"),
        ("acme/web/discussions/847", "discussion"),
        ("PR 847", "pr"),
        ("the pull request 847, again", "pr"),
        ("bug 847", "issue"),
        ("issue 847.", "issue"),
    ],
)
def test_ends_of_addresses_and_numbers_behind_a_word_are_known(text: str, kind: str) -> None:
    """People leave out what everybody in the project knows: the host, the repository, the sign."""
    assert _named(text, HERE) == [(kind, "acme/web#847")]
    assert _named(text, ABROAD, "acme/web") == [(kind, "acme/web#847")]


def test_short_forms_mean_the_projects_own_remote() -> None:
    """Where no repository is set, a bare number is one of the code that lies here."""
    account = Account(
        name="github",
        kind="github",
        settings=GitHubSettings(),
        base_url="https://api.github.com",
        remotes=("gitlab.com/acme/old", "github.com/acme/web", "github.com/robin/web"),
    )

    assert [ref.id for ref in GitHubNames.of(account).recognise("#1119", None)] == ["acme/web#1119"]


def test_a_single_digit_counts_on_github_alone() -> None:
    """Elsewhere "we are #1" is no issue."""
    assert _named("#1", HERE) == [("issue", "acme/web#1")]
    assert _named("we are #1", None, "acme/api") == []


def test_a_commit_or_comment_has_a_repository_too() -> None:
    """Whatever a short form stands in tells of which repository it is."""
    commit = ItemRef(account="github", kind="commit", id=f"acme/web@{SHA}")
    comment = ItemRef(account="github", kind="comment", id="acme/web#1/comment/5")

    assert _named("#22", commit) == [("issue", "acme/web#22")]
    assert _named("#22", comment) == [("issue", "acme/web#22")]


@pytest.mark.parametrize(
    "text",
    [
        "UTF-8 SHA-256 COVID-19 ISO-8601 TB-123 RFC-2119 X-509",
        f"deadbeef {SHA} 0123abc commit/0123abc",
        "https://github.com/acme/api https://github.com/acme/api/issues/new",
        "https://github.com/acme/api/discussions https://github.com/acme/api/pulls",
        "https://github.com/acme/api/commit/main https://github.com/acme/api/blob/main/a.py#L847",
        "https://gitlab.com/acme/api/issues/12 https://nowhere.invalid/a#55",
        "&#8217; C#12 #00ff00 #0 ##22 a#22 #22px user@#22 #nothing # 22",
        "[#847 Bump eslint](https://elsewhere.example/pull/847) <https://elsewhere.example|#847>",
        "path/to/file#5abc",
        "and/or#3 he/she#12 yes/no#44",
        "x/y/issues/12 src/issues/12 refs/pull/12/head web-issues/12 /pull/847a",
        "gitlab.com/acme/api/issues/12 nowhere.invalid/acme/api/pull/12",
        "PR 1 bug 1.25 issue 12:30 PR 12% tissue 12 issue 12-a",
    ],
)
def test_what_looks_alike_is_nothing(text: str) -> None:
    """Standards, hashes, colours, headings, other pages and the texts of links to them."""
    assert _named(text, HERE, "acme/api") == []


def test_each_thing_is_named_once() -> None:
    """However often a text names it, and in whatever form."""
    text = "PR #847, https://github.com/acme/api/pull/847, acme/api#847, #847 and #848"

    assert _named(text, None, "acme/api") == [("pr", "acme/api#847"), ("issue", "acme/api#848")]


@pytest.mark.parametrize(
    ("base_url", "host"),
    [
        ("https://api.github.com", "github.com"),
        ("https://git.acme.example/api/v3", "git.acme.example"),
        ("https://git.acme.example/api/v3/", "git.acme.example"),
        ("https://api.acme.ghe.com", "acme.ghe.com"),
        ("http://127.0.0.1:8000", "github.com"),
    ],
)
def test_pages_are_where_the_api_tells(base_url: str, host: str) -> None:
    """Before anybody logged in, the address of the API says where pages are."""
    account = Account(name="github", kind="github", settings=GitHubSettings(), base_url=base_url)

    assert web_host(account) == host
    assert web_host(Account(name="github", kind="github", settings=GitHubSettings(), hosts=("x",)))


def test_people_call_a_pull_request_by_its_number() -> None:
    """Hardly anybody writes the repository: a build searches for the number, too."""
    (kind,) = rove_sources()

    assert kind.forms_of("acme/api#847") == ("#847", "pull/847")
    assert kind.forms_of(f"acme/api@{SHA}") == ()
