"""The pictures of the pages, drawn from what real runs printed and measured."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from docs_src.pictures import cost, demo, document, hops, login, quality

#: What draws each picture, by its name below ``docs/pictures``.
PICTURES: Final[Mapping[str, Callable[[Path], str]]] = {
    "cost.svg": cost.draw,
    "demo.svg": demo.draw,
    "document.svg": document.draw,
    "hops.svg": hops.draw,
    "login.svg": login.draw,
    "quality.svg": quality.draw,
}
