"""Choose the embedder from the settings; usually there is none."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_code.settings import EMBEDDING
from rove_core import Settings, WrongSetting
from rove_core.clock import Clock

if TYPE_CHECKING:
    from rove_code.vectors.embedder import Embedder
    from rove_code.vectors.endpoint import VectorsOf
    from rove_core import EngineKind

#: The engine whose vectors are those of an endpoint.
_ENGINE: Final = "openai"


@frozen
class Embedding:
    """The chosen embedding model and its limits.

    Attributes:
        embedder: Who.
        patience: So many seconds a question waits for its vector.
        most_tokens: So many tokens it is given each time a repository is looked at again; None
            for any number.
    """

    embedder: "Embedder"
    patience: float = 2.0
    most_tokens: int | None = None


def embedding_of(
    settings: Settings,
    environ: Mapping[str, str],
    *,
    engines: "Callable[[], Mapping[str, EngineKind]]",
    root: Path,
    clock: Clock,
) -> Embedding | None:
    """Return the configured embedder, or None.

    Args:
        settings: The project's settings.
        environ: The variables of the process.
        engines: Returns what installed packages ask a model with, by name.
        root: The project's folder, which a folder of vectors may be in.
        clock: The clock.

    Raises:
        WrongSetting: The endpoint's address is none that can be asked, or nothing asks it.
    """
    options = settings.section(EMBEDDING)
    if options.engine == "none":
        return None
    patience = options.timeout.total_seconds()
    if options.engine == "static":
        from rove_code.vectors.static import StaticEmbedder  # noqa: PLC0415  # few want it

        return Embedding(StaticEmbedder(root / Path(options.folder).expanduser()), patience)
    from rove_code.vectors.endpoint import EndpointEmbedder  # noqa: PLC0415  # few want it
    from rove_core import endpoint_of  # noqa: PLC0415  # few want it

    endpoint = endpoint_of(settings, options, environ, section=EMBEDDING.name)
    embedder = EndpointEmbedder(endpoint, _vectors_of(engines()), options.dimensions, clock)
    return Embedding(embedder, patience, options.max_tokens)


def _vectors_of(engines: "Mapping[str, EngineKind]") -> "VectorsOf":
    engine = engines.get(_ENGINE)
    if engine is None or engine.vectors is None:
        raise WrongSetting(
            f"embedding.engine = {_ENGINE!r}: no installed package brings it",
            hint=f"Install it: pip install rove-{_ENGINE}",
        )
    return engine.vectors
