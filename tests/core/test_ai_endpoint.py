"""Where the model is, and which key goes there."""

import subprocess
import sys

import pytest

from rove_core.build.model.endpoint import Endpoint, endpoint_of
from rove_core.errors import WrongSetting
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings import load_settings
from rove_core.safety.secret import Secret

OPENAI = "https://api.openai.com/v1"
OURS = "https://model.example/v1"


def test_without_any_setting(places: ProjectPaths) -> None:
    """It is OpenAI's, which wants a key."""
    found = endpoint(places)

    assert (found.base_url, found.key, found.lacks_key) == (OPENAI, None, True)


def test_the_packages_own_variables(places: ProjectPaths) -> None:
    """Without a setting, they name the endpoint and the key."""
    found = endpoint(places, OPENAI_BASE_URL=f"{OURS}/", OPENAI_API_KEY=" sk-own ")

    assert found == Endpoint(
        base_url=OURS, model="gpt-4o-mini", key=Secret("sk-own"), is_openais_own=True
    )


def test_a_setting_puts_them_out_of_force(places: ProjectPaths) -> None:
    """With an endpoint in the settings, neither of them counts."""
    own = {"OPENAI_BASE_URL": OPENAI, "OPENAI_API_KEY": "sk-own"}

    assert endpoint(places, ROVE_AI_API_BASE=OURS, **own) == Endpoint(
        base_url=OURS, model="gpt-4o-mini"
    )


def test_a_key_without_an_endpoint_is_openais(places: ProjectPaths) -> None:
    """A key of Rove's alone goes to OpenAI, wherever the package's variable leads."""
    found = endpoint(places, ROVE_AI_API_KEY="sk-1", OPENAI_BASE_URL=OURS)

    assert (found.base_url, found.key) == (OPENAI, Secret("sk-1"))


@pytest.mark.parametrize(
    ("text", "variables", "is_sent"),
    [
        ("api_key = 'sk-1'\napi_base = 'https://model.example/v1'\n", {}, True),
        ("api_key = 'sk-1'\n", {"ROVE_AI_API_BASE": OURS}, False),
        ("api_base = 'https://model.example/v1'\n", {"ROVE_AI_API_KEY": "sk-1"}, True),
    ],
)
def test_a_key_in_a_file_is_for_the_endpoint_beside_it(
    places: ProjectPaths, text: str, variables: dict[str, str], *, is_sent: bool
) -> None:
    """A key from a file is not sent to an endpoint that another place names."""
    places.config_dir.mkdir(parents=True)
    places.user_settings_file.write_text(f"[ai]\n{text}", "utf-8")

    found = endpoint(places, **variables)

    assert (found.base_url, found.key) == (OURS, Secret("sk-1") if is_sent else None)
    assert found.withheld == ("" if is_sent else f"{places.user_settings_file}:2")


@pytest.mark.parametrize("variable", ["ROVE_AI_API_BASE", "OPENAI_BASE_URL"])
def test_an_address_with_a_login_in_it(places: ProjectPaths, variable: str) -> None:
    """It is refused, and the login is not shown."""
    with pytest.raises(
        WrongSetting, match=r"(?:ai.api_base|OPENAI_BASE_URL): 'model.example"
    ) as caught:
        endpoint(places, **{variable: "https://ada:hunter22@model.example/v1"})

    assert "hunter22" not in f"{caught.value} {caught.value.hint}"


def test_a_build_without_a_model_loads_nothing_for_it() -> None:
    """Choosing the extractive engine imports neither the ``openai`` package nor its client."""
    code = (
        "import asyncio, sys\n"
        "from rove_core.build.model.choose import choose_engine\n"
        "from rove_core.project.layout import ProjectPaths\n"
        "from rove_core.project.settings import load_settings\n"
        "import pathlib\n"
        "here = pathlib.Path('/nowhere')\n"
        "places = ProjectPaths(root=here, data_dir=here, config_dir=here)\n"
        "settings = load_settings(places, environ={})\n"
        "async def choose():\n"
        "    async with choose_engine(settings, base=None, guard=None, engines={}) as chosen:\n"
        "        pass\n"
        "asyncio.run(choose())\n"
        "print({'openai', 'httpx', 'httpx2', 'rove_openai.chat'} & sys.modules.keys())\n"
    )

    run = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert run.stdout == "set()\n"


def endpoint(places: ProjectPaths, **variables: str) -> Endpoint:
    """Return the endpoint that some variables name."""
    settings = load_settings(places, environ=variables)
    return endpoint_of(settings, settings.ai, variables)
