"""People in GitHub's REST API."""

from rove_core import JSON
from rove_sim import ids
from rove_sim.company_people import Person
from rove_sim.github.hub import HTML, HubView

#: What a user's record links to, below the user itself.
_FOLDERS = {
    "followers_url": "/followers",
    "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}",
    "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions",
    "organizations_url": "/orgs",
    "repos_url": "/repos",
    "events_url": "/events{/privacy}",
    "received_events_url": "/received_events",
}


def login_of(person: Person) -> str:
    """Return a person's login; a bot's says that it is one."""
    login = person.github.removesuffix("[bot]")
    return f"{login}[bot]" if person.bot else login


def user(view: HubView, who: str) -> dict[str, JSON] | None:
    """Return a person by key or name; None when the account is gone."""
    if not who:
        return None
    person = view.hub.company.person(who)
    return _account(view, login_of(person), "Bot" if person.bot else "User")


def owner(view: HubView, login: str) -> dict[str, JSON]:
    """Return the owner of repositories."""
    return _account(view, login, "Organization")


def association(view: HubView, who: str) -> str:
    """Return a person's association with the repositories."""
    is_member = any(who in (one.key, one.name) for one in view.hub.company.people)
    return "MEMBER" if is_member else "NONE"


def myself(view: HubView) -> JSON:
    """Return the token's owner, with private details."""
    me = view.hub.company.owner
    counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
    return {
        **_account(view, login_of(me), "User"),
        "user_view_type": "private",
        "name": me.name,
        "company": view.hub.company.name,
        "blog": "",
        "location": None,
        "email": me.email,
        "hireable": None,
        "bio": None,
        **counts,
        "created_at": "2020-01-01T00:00:00Z",
        "updated_at": "2024-01-01T00:00:00Z",
        "private_gists": 0,
        "total_private_repos": len(view.hub.repositories()),
        "owned_private_repos": 0,
        "disk_usage": 0,
        "collaborators": 0,
        "two_factor_authentication": True,
    }


def _account(view: HubView, login: str, kind: str) -> dict[str, JSON]:
    id_ = 1_000_000 + ids.number(f"github/user/{login.lower()}", below=200_000_000)
    url = f"{view.api}/users/{login}"
    return {
        "login": login,
        "id": id_,
        "node_id": f"U_{id_}",
        "avatar_url": f"https://avatars.githubusercontent.com/u/{id_}?v=4",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{HTML}/{login}",
        **{name: url + rest for name, rest in _FOLDERS.items()},
        "type": kind,
        "site_admin": False,
    }
