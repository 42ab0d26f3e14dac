"""Settings of code retrieval: of a code account, and the section ``[embedding]``."""

from datetime import timedelta
from typing import Final, Literal

from attrs import field, frozen
from attrs.validators import ge, le

from rove_core import Secret, SettingsSection


@frozen(kw_only=True)
class CodeSettings:
    """The settings of code retrieval.

    A project's file that nobody vouched for sets none of them: they say what is read.

    Attributes:
        folder: The repository: an absolute path, one below ``~``, or one in the project.
        also: Further repositories that may be asked over HTTP, written in the same way.
        clone_from: The hosts from which repositories may be cloned over HTTP (``github.com``).
    """

    folder: str = "."
    also: tuple[str, ...] = ()
    clone_from: tuple[str, ...] = ()


@frozen(kw_only=True)
class EmbeddingSettings:
    """Settings of the embedding model.

    With ``openai``, a repository's code is sent to the endpoint.

    Attributes:
        engine: ``none`` finds by words; ``static`` reads a folder; ``openai`` sends code away.
        folder: Where ``tokenizer.json`` and one ``.safetensors`` file are; never downloaded.
        api_base: The OpenAI-compatible endpoint.
        api_key: The key for it; better kept in ROVE_EMBEDDING_API_KEY than in a file.
        model: The embedding model that is asked.
        dimensions: How many numbers a vector has; 0 for as many as the model gives.
        timeout: How long a question waits for its vector before words must do.
        max_tokens: How many tokens of code are sent each time a repository is looked at again.
    """

    engine: Literal["none", "static", "openai"] = "none"
    folder: str = ""
    api_base: str = ""
    api_key: Secret | None = None
    model: str = "text-embedding-3-small"
    dimensions: int = field(default=0, validator=[ge(0), le(8192)])
    timeout: timedelta = field(
        default=timedelta(seconds=2),
        validator=[ge(timedelta(seconds=1)), le(timedelta(minutes=1))],
    )
    max_tokens: int = field(default=1_000_000, validator=[ge(1_000), le(1_000_000_000)])


#: Who makes vectors of code.
EMBEDDING: Final = SettingsSection(
    name="embedding",
    settings=EmbeddingSettings,
    decides="who is sent the code, and at whose cost",
)
