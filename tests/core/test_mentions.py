import pytest

from rove_core import ticket_ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("TB-1, (TB-2) and TB_X-3.", ["TB-1", "TB-2", "TB_X-3"]),
        ("on branch feature/TB-1-login", ["TB-1"]),
        ("on branch feature/TB-1_login", ["TB-1"]),
        ("UTF-8, SHA-256, ISO-8601", []),
        ("请看TB-1。修正はTB-2で完了", ["TB-1", "TB-2"]),
        ("voirTB-1 à caféTB-2été, TB-3ü", ["TB-2", "TB-3"]),
        ("_TB-1_ __TB-2__ *TB-3* fix_TB-4_login", ["TB-1", "TB-2", "TB-3", "TB-4"]),
        ("TB-1و שTB-2ש", ["TB-1", "TB-2"]),
        ("SHAPE-1 begins like a standard", ["SHAPE-1"]),
        ("tb-1 A-1 TB-1a TB-x TB-", []),
        ("https://nowhere.invalid/browse/TB-1", []),
        ("<https://nowhere.invalid/TB-1|TB-2>", ["TB-2"]),
        ("HTTPS://X/PAY-1 file:///a/PAY-1 x://PAY-1", []),
        ("TB-\u0661 \uff34\uff22-1", []),
    ],
)
def test_whatever_looks_like_an_id_is_one(text: str, ids: list[str]) -> None:
    """Without known prefixes the shape decides, but standards and other people's pages are out."""
    assert list(ticket_ids(text)) == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("TB-1 OPS-2 JIRA-3", ["TB-1", "OPS-2"]),
        ("ATB-1 TB.-1 MY_TB-1", []),
        ("SHA-256", ["SHA-256"]),
        ("了TB-1了 _OPS-2_ naïfTB-3é", ["TB-1", "OPS-2"]),
        ("¡TB-1! éTB-2é", ["TB-1", "TB-2"]),
    ],
)
def test_known_prefixes_decide(text: str, ids: list[str]) -> None:
    """Who has a project called SHA means it."""
    assert list(ticket_ids(text, ["TB", "OPS", "SHA"])) == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("see PEP 8, PEP8 and pep-8", ["PEP-8", "PEP-8", "PEP-8"]),
        ("feature/tb-12-login, Tb-13", ["TB-12"]),
        ("TB 12 (PEP 0008)", ["TB-12", "PEP-8"]),
        ("TB12, my-tb-3, x.tb-4, tb 5, PEP  8", []),
        ("PEP 1.3, PEP 3,5 and PEP 20th", []),
        ("请看PEP 8。", ["PEP-8"]),
        ("https://x/pep-8 PEP-", []),
    ],
)
def test_known_ids_are_recognised_as_people_type_them(text: str, ids: list[str]) -> None:
    """In small letters, behind a space, or joined; but no version and no part of another name."""
    assert list(ticket_ids(text, ["TB", "PEP"])) == ids
