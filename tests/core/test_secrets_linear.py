"""Hostile text is searched in time that grows with its length, and no faster."""

from time import process_time  # noqa: TID251  # processor time is what this is about

import pytest

from rove_core.safety.secrets import redact_secrets

#: A fixed part of the cost and the machine's noise, in seconds of processor time.
NOISE = 0.1
SHORT = 6_000
#: Twice the length may take this many times as long.
MOST = 2.6
FRAGMENTS = (
    *("pw=", "pw-", "pw, ", "psk=", "pat/", "otp ", "password ", "password, ", "--password="),
    *("token is ", "key: value ", "secret/", "auth=", "-p ", "login as ", "ww ", "user / "),
    *(
        "http://hook-",
        "https://x/reset/",
        "://a:b",
        "stringData:\n",
        "kind: Secret\n",
        "|password|",
    ),
    *("-----BEGIN ", "recovery codes ", "seed phrase ", "wifi ", "eyJ", "sk-", "a1B2", '"', "("),
    *(
        "пароль, ",
        "密码, ",
        "パスは",
        "비밀번호는 ",
        "Falcon1987* password ",
        "&Expires=1400000000",
    ),
)


def cost(text: str) -> float:
    """Return how much processor time a text takes, at best."""
    costs = []
    for _ in range(2):
        before = process_time()
        redact_secrets(text)
        costs.append(process_time() - before)
    return min(costs)


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_cost_grows_with_length(fragment: str) -> None:
    """Twice as many repetitions of a fragment take about twice as long."""
    text = (fragment * SHORT)[: 2 * SHORT]

    assert cost(text) <= MOST * cost(text[:SHORT]) + NOISE
