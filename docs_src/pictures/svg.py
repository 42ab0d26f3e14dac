"""SVG for pages: text, boxes and lines in colours that suit a light and a dark page."""

from collections.abc import Iterable
from typing import Final
from xml.sax.saxutils import escape

#: Colours by role; a dark page swaps them.
_STYLE: Final = """
text{font-family:ui-sans-serif,system-ui,sans-serif;font-size:13px;fill:var(--ink)}
.mono{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px;white-space:pre}
.dim{fill:var(--dim)}.bold{font-weight:600}.accent{fill:var(--accent)}.end{text-anchor:end}
.middle{text-anchor:middle}
rect,path,line,circle{fill:none;stroke:var(--line);stroke-width:1.2}
.box{fill:var(--box)}.bar{fill:var(--accent);stroke:none}.other{fill:var(--dim);stroke:none}
.mark{stroke:var(--accent)}
svg{--ink:#1f2328;--dim:#656d76;--line:#c4cad1;--box:#f6f8fa;--accent:#3d5afe}
@media(prefers-color-scheme:dark){
svg{--ink:#e6edf3;--dim:#8b949e;--line:#444c56;--box:#161b22;--accent:#8c9eff}}
"""


def picture(  # what a picture is made of
    width: int, height: int, *parts: str, title: str, about: str, style: str = ""
) -> str:
    """Return a whole picture, which names itself for those who cannot see it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="title about">'
        f'<title id="title">{escape(title)}</title><desc id="about">{escape(about)}</desc>'
    )
    return "\n".join([head, f"<style>{_STYLE}{style}</style>", *parts, "</svg>", ""])


def text(x: float, y: float, said: str, classes: str = "") -> str:
    """Return a line of text whose base line begins at a point."""
    named = f' class="{classes}"' if classes else ""
    return f'<text x="{x:g}" y="{y:g}"{named}>{escape(said)}</text>'


def lines(x: float, y: float, said: Iterable[str], classes: str = "", step: float = 17) -> str:
    """Return lines of text below each other."""
    return "".join(text(x, y + at * step, line, classes) for at, line in enumerate(said))


def box(x: float, y: float, width: float, height: float, *, radius: float = 6) -> str:
    """Return a box with round corners."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"'
        ' class="box"/>'
    )


def arrow(x: float, y: float, to_x: float, to_y: float, classes: str = "mark") -> str:
    """Return an arrow from left to right, or from right to left."""
    back = 6 if to_x >= x else -6
    return (
        f'<path class="{classes}" d="M{x:g} {y:g}L{to_x:g} {to_y:g}'
        f"M{to_x - back:g} {to_y - 4:g}L{to_x:g} {to_y:g}L{to_x - back:g} {to_y + 4:g}"
        '"/>'
    )
