"""How many secrets with a structure are found: in configuration, commands, headers and addresses.

A seed splits the templates. Before any rule was written for them .749 of the first half and .741 of
the second were found; after rules for what the first half had missed, .837 of the second at first
sight. Then rules followed for the second half too: nothing of this is held out any more.
"""

import base64
import json
import random
import re
import string
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final

from attrs import frozen

from benchmarks.structured_forms import TEMPLATES
from rove_core.safety.secrets import find_secrets

#: What must be found of secrets with a structure.
RECALL: Final = 0.97
EACH: Final = 20
_PLACE: Final = re.compile(r"(?<!\{)\{(\w+)\}")
_LETTERS: Final[Mapping[str, str]] = {
    "hex": string.digits + "abcdef",
    "HEX": string.digits + "ABCDEF",
    "b62_": string.ascii_letters + string.digits,
    "b36_": string.ascii_lowercase + string.digits,
    "B36_": string.ascii_uppercase + string.digits,
    "web": string.ascii_letters + string.digits + "-_",
    "salt": string.ascii_letters + string.digits + "!#%&*+-.:?@^_~|",
    "d": string.digits,
}
_SIZED: Final = re.compile(
    r"(?P<letters>hex|HEX|b62_|b36_|B36_|web|salt|d|b64_|pem)(?P<size>\d+)[a-z]?"
)
_MARKS: Final = "!#-_.+*"


@frozen
class Planted:
    """A text with a secret.

    Attributes:
        template: What the text was made from.
        text: The text.
        secrets: What was put in.
    """

    template: str
    text: str
    secrets: Sequence[str]


def half(template: str) -> str:
    """Return which half of the corpus a template belongs to: ``fitted`` or ``held out``."""
    first = sha256(f"structured 2026-11-24 {template}".encode()).digest()[0]
    return "held out" if first & 1 else "fitted"


def planted(template: str, each: int = EACH) -> Iterator[Planted]:
    """Yield texts with drawn secrets made from a template, the same on every run."""
    lot = random.Random(template)  # noqa: S311  # they open nothing
    for _ in range(each):
        drawn: list[str] = []

        def draw(place: re.Match[str], drawn: list[str] = drawn) -> str:
            drawn.append(_draw(lot, place[1]))
            return drawn[-1]

        text = _PLACE.sub(draw, template).replace("{{", "{").replace("}}", "}")
        yield Planted(template, text, drawn)


def is_found(each: Planted) -> bool:
    """Return whether the longest secret of a text is redacted, but for a few characters."""
    secret = max(each.secrets, key=len)
    start = each.text.index(secret)
    spans = [(found.start, found.end) for found in find_secrets(each.text)]
    covered = sum(max(0, min(end, start + len(secret)) - max(begin, start)) for begin, end in spans)
    return covered >= len(secret) - max(1, len(secret) // 5)


def recall(templates: Sequence[str], each: int = EACH) -> Mapping[str, float]:
    """Return the share of secrets that are found, by template."""
    return {template: sum(map(is_found, planted(template, each))) / each for template in templates}


def main() -> int:
    """Print the recall of both halves; return 1 when one is below the target."""
    shares = recall(TEMPLATES)
    counts: Counter[str] = Counter()
    hits: dict[str, float] = {}
    for template, share in shares.items():
        counts[half(template)] += 1
        hits[half(template)] = hits.get(half(template), 0) + share
    if "--missed" in sys.argv:
        for template, share in sorted(shares.items(), key=lambda each: each[1]):
            if share < 1 and (half(template) == "fitted" or "--all" in sys.argv):
                print(f"  {share:.2f} {template!r}")
    means = {name: hits[name] / counts[name] for name in sorted(counts)}
    for name, mean in means.items():
        print(f"{name}: {counts[name]} templates, {mean:.3f}")
    return int(min(means.values()) < RECALL)


def _draw(lot: random.Random, name: str) -> str:
    if special := _SPECIAL.get(name.rstrip("bc") if name.startswith("uuid") else name):
        return special(lot)
    found = _SIZED.fullmatch(name)
    if found is None:
        message = f"no such secret: {name}"
        raise ValueError(message)
    size = int(found["size"])
    if found["letters"] in ("b64_", "pem"):
        head = b"LS0tLS1C" if found["letters"] == "pem" else b""
        return (head + base64.b64encode(lot.randbytes(size * 3 // 4)))[:size].decode()
    return "".join(lot.choices(_LETTERS[found["letters"]], k=size))


def _uuid(lot: random.Random) -> str:
    return "-".join(f"{lot.getrandbits(4 * size):0{size}x}" for size in (8, 4, 4, 4, 12))


def _basic(lot: random.Random) -> str:
    return base64.b64encode(f"ann:{_password(lot)}".encode()).decode()


def _password(lot: random.Random) -> str:
    text = lot.choices(string.ascii_letters + string.digits, k=lot.randrange(9, 15))
    return "".join([*text, lot.choice(_MARKS), lot.choice(string.digits), lot.choice("aBcD")])


def _jwt(lot: random.Random) -> str:
    parts = (
        json.dumps({"alg": "HS256", "typ": "JWT"}).encode(),
        json.dumps({"sub": str(lot.random()), "exp": lot.randrange(2**31)}).encode(),
        lot.randbytes(32),
    )
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def _kubeadm(lot: random.Random) -> str:
    text = "".join(lot.choices(_LETTERS["b36_"], k=22))
    return f"{text[:6]}.{text[6:]}"


def _signature(lot: random.Random) -> str:
    text = base64.b64encode(lot.randbytes(32)).decode()
    return text.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")


_SPECIAL: Final[Mapping[str, Callable[[random.Random], str]]] = {
    "pw": _password,
    "uuid": _uuid,
    "basic": _basic,
    "jwt": _jwt,
    "kubeadm": _kubeadm,
    "sig": _signature,
}


if __name__ == "__main__":
    sys.exit(main())
