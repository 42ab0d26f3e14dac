"""What an account of GitHub may set, and how one logs in."""

from attrs import frozen

from rove_core import CommonSettings, LoginField, LoginWay

ACCESS_TOKEN = LoginField(
    name="token",
    title="Personal access token",
    secret=True,
    help="A fine-grained token that may read issues, pull requests and contents.",
    environment=("GH_TOKEN", "GITHUB_TOKEN"),
)
TOKEN = LoginWay(
    name="token",
    title="Personal access token",
    fields=(ACCESS_TOKEN,),
    url="https://github.com/settings/personal-access-tokens/new",
)


@frozen(kw_only=True)
class GitHubSettings(CommonSettings):
    """The settings of a GitHub account.

    Attributes:
        repositories: Where to look and what a bare ``#847`` may mean (``acme/api``).
    """

    page_size: int = 100
    repositories: tuple[str, ...] = ()
