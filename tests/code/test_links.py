"""Pages of files and commits, from the address that a repository was cloned from."""

import pytest

from rove_code.links import Pages

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    "origin",
    [
        "https://github.com/acme/shop",
        "https://github.com/acme/shop.git",
        "https://ann:secret@github.com:443/acme/shop.git/",
        "git@github.com:acme/shop.git",
        "ssh://git@GitHub.com/acme/shop.git",
    ],
)
def test_all_ways_to_clone_have_the_same_pages(origin: str) -> None:
    """Protocol, login and port are no part of a page."""
    pages = Pages.of(origin)

    assert pages
    assert pages.commit(COMMIT) == f"https://github.com/acme/shop/commit/{COMMIT}"


@pytest.mark.parametrize(
    ("origin", "page"),
    [
        ("https://github.com/a/b", f"https://github.com/a/b/blob/{COMMIT}/x%20y.py#L1-L9"),
        ("git@gitlab.acme.io:a/c/b", f"https://gitlab.acme.io/a/c/b/-/blob/{COMMIT}/x%20y.py#L1-9"),
        ("https://bitbucket.org/a/b", f"https://bitbucket.org/a/b/src/{COMMIT}/x%20y.py#lines-1:9"),
    ],
)
def test_each_host_has_its_form(origin: str, page: str) -> None:
    """Lines are named as the host names them."""
    pages = Pages.of(origin)

    assert pages
    assert pages.lines(COMMIT, "x y.py", 1, 9) == page
    assert pages.lines(COMMIT, "x y.py", 0, 0) == page.partition("#")[0]


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "/srv/git/shop.git",
        "../shop",
        "file:///srv/github.com/acme/shop",
        "https://git.acme.io/acme/shop",
        "https://notgithub.com/acme/shop",
        "https://github.com/acme",
        "https://[github.com/acme/shop",
        "github.com",
    ],
)
def test_of_other_places_no_page_is_known(origin: str) -> None:
    """A page that may not be there is worse than none."""
    assert Pages.of(origin) is None
