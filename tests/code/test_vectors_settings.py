"""The endpoint of vectors that the settings name."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from rove_code.settings import EMBEDDING
from rove_core.build.model.endpoint import Endpoint, endpoint_of
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings import Settings, load_settings

OPENAI = "https://api.openai.com/v1"
OURS = "http://127.0.0.1:8000/v1"


@pytest.fixture
def places(tmp_path: Path) -> ProjectPaths:
    """Give a project and a user that nothing is known of."""
    return ProjectPaths(
        root=tmp_path, data_dir=tmp_path / "data", config_dir=tmp_path / "your-settings"
    )


def _endpoint(settings: Settings, environ: Mapping[str, str]) -> Endpoint:
    return endpoint_of(settings, settings.section(EMBEDDING), environ, section="embedding")


def test_vectors_have_an_endpoint_of_their_own(places: ProjectPaths) -> None:
    """Neither the address nor the key of the one is the other's."""
    variables = {
        "ROVE_AI_API_BASE": OPENAI,
        "ROVE_AI_API_KEY": "sk-ai",
        "ROVE_EMBEDDING_API_BASE": OURS,
        "ROVE_EMBEDDING_MODEL": "small",
    }
    settings = load_settings(places, environ=variables, sections=(EMBEDDING,))

    assert _endpoint(settings, variables) == Endpoint(base_url=OURS, model="small")


def test_a_key_for_vectors_is_for_the_endpoint_beside_it(places: ProjectPaths) -> None:
    """As with the model: a key from a file is not sent where another place leads."""
    places.config_dir.mkdir(parents=True)
    places.user_settings_file.write_text("[embedding]\napi_key = 'sk-1'\n", "utf-8")
    settings = load_settings(
        places, environ={"ROVE_EMBEDDING_API_BASE": OURS}, sections=(EMBEDDING,)
    )

    found = _endpoint(settings, {})

    assert (found.key, found.withheld) == (None, f"{places.user_settings_file}:2")
