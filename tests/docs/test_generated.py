from docs_src.generate import ROOT, stale


def test_every_page_is_as_the_code_is() -> None:
    """Nothing is stale: if this fails, run python -m docs_src.generate and look at the diff."""
    assert [str(path.relative_to(ROOT)) for path in stale()] == []
