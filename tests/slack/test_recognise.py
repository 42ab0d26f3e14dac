import pytest

from rove_slack.references import address, permalinks, thread_of

HOST = "https://northwind.slack.com/archives"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{HOST}/C0AB/p1734264000000100", ["C0AB/1734264000.000100"]),
        (f"({HOST}/C0AB/p1734264000000100).", ["C0AB/1734264000.000100"]),
        (
            f"{HOST}/C0AB/p1734264600000200?thread_ts=1734264000.000100&cid=C0AB",
            ["C0AB/1734264000.000100"],
        ),
        (
            f"{HOST}/C0AB/p1734264600000200?cid=C0AB&amp;thread_ts=1734264000.000100",
            ["C0AB/1734264000.000100"],
        ),
        (f"{HOST}/C0AB/p1734264600000200?thread_ts=soon", ["C0AB/1734264600.000200"]),
        (f"<{HOST}/D0AB/p1734264000000100|this>", ["D0AB/1734264000.000100"]),
        ("https://Northwind.Slack.com/archives/C1/p1734264000000100", ["C1/1734264000.000100"]),
        (f"{HOST}/C0AB/p17342640000001001", []),
        (f"{HOST}/C0AB", []),
        (f"{HOST}/c0ab/p1734264000000100", []),
        ("#backend-team", []),
        ("1734264000.000100", []),
    ],
)
def test_permalinks_lead_to_threads(text: str, expected: list[str]) -> None:
    """With its thread named or not, and whatever stands around it."""
    assert expected == [link.thread for link in permalinks(text)]


def test_a_host_is_told_in_small_letters() -> None:
    """So it can be compared with an account's own."""
    (link,) = permalinks("https://Northwind.SLACK.com/archives/C1/p1734264000000100")

    assert link.host == "northwind.slack.com"


@pytest.mark.parametrize(
    ("channel", "ts", "root"),
    [("C1", "1734264600.000200", "1734264000.000100"), ("C1", "1734264600.000200", "")],
)
def test_an_address_can_be_read_again(channel: str, ts: str, root: str) -> None:
    """What is made of a message leads back to it."""
    (link,) = permalinks(address("northwind.slack.com", channel, ts, root))

    assert (channel, ts, root or ts) == (link.channel, link.ts, link.root)


def test_there_is_no_address_of_what_has_no_name() -> None:
    """Nothing that a vendor sent is put into an address as it stands."""
    assert address("northwind.slack.com", "C1/../x", "1.0") == ""
    assert address("northwind.slack.com", "C1", "1?x") == ""
    assert address("", "C1", "1.0") == ""


def test_an_id_is_a_channel_and_a_time() -> None:
    """A time is never a number: its digits are its name."""
    assert thread_of("C1/1734264000.100000") == ("C1", "1734264000.100000")
    assert thread_of("C1/1e9") == ("", "")
