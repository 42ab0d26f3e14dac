"""What a path tells of a file."""

import pytest

from rove_code.ranking.paths import Kind, kind_of


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/basket.py", Kind.SOURCE),
        ("src/history.py", Kind.SOURCE),
        ("src/contest.py", Kind.SOURCE),
        ("src/latest/fetch.go", Kind.SOURCE),
        ("tests/test_basket.py", Kind.TEST),
        ("pkg/basket_test.go", Kind.TEST),
        ("src/basket.spec.ts", Kind.TEST),
        ("src/test/java/shop/Basket.java", Kind.TEST),
        ("src/BasketTest.java", Kind.TEST),
        ("src/main/java/shop/BasketSpec.java", Kind.SOURCE),
        ("src/__tests__/basket.js", Kind.TEST),
        ("conftest.py", Kind.TEST),
        ("examples/shop.py", Kind.EXAMPLE),
        ("vendor/lib/pay.go", Kind.FOREIGN),
        ("static/jquery.min.js", Kind.FOREIGN),
        ("shop/pay_pb2.py", Kind.FOREIGN),
        ("docs/index.rst", Kind.DOCUMENT),
        ("README.md", Kind.DOCUMENT),
        ("pyproject.toml", Kind.DATA),
    ],
)
def test_a_path_tells_what_a_file_is_there_for(path: str, kind: Kind) -> None:
    """Projects name their folders alike."""
    assert kind == kind_of(path)
