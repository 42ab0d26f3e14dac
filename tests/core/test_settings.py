"""The settings: what they may be, which place wins, and what an unknown file may not say."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import field, fields, frozen
from attrs.validators import instance_of
from hypothesis import given
from hypothesis import strategies as st

from rove_core.errors import UnsafePlace, WrongCall, WrongSetting
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings import (
    Origin,
    Settings,
    all_settings,
    load_settings,
    parse_duration,
    set_setting,
    use_accounts,
)
from rove_core.project.settings.untrusted_settings import SAFE_FOR_ACCOUNTS
from rove_core.project.trust import is_trusted, record_trust
from rove_core.safety.secret import Secret
from rove_core.sources import CommonSettings


@frozen(kw_only=True)
class ChatSettings(CommonSettings):
    """The settings of an imagined kind of source."""

    rate_limit: int = 50
    channels: tuple[str, ...] = ()
    ratio: float = field(default=0.5, validator=instance_of(float))


def write(path: Path, text: str) -> None:
    """Write a settings file."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def load(places: ProjectPaths, **variables: str) -> Settings:
    """Load settings in an environment of their own."""
    return load_settings(places, environ=variables)


def chat(settings: Settings, account: str = "chat") -> ChatSettings:
    """Return the settings of an account of the imagined kind."""
    return settings.account_settings(account, "chat", ChatSettings)


def test_defaults(places: ProjectPaths) -> None:
    """With no file at all every setting has a sensible value."""
    settings = load(places)

    assert settings.scheduler.refresh_interval == timedelta(hours=6)
    assert settings.ai.engine == "extractive"
    assert settings.origin("ai.engine") == Origin("default")


def test_every_setting_is_described() -> None:
    """Each setting says in one line what it is for."""
    assert not [key for key, declared in all_settings().items() if not declared.about]


def test_safe_settings() -> None:
    """What an unknown file may set is exactly this; nothing in it leads text anywhere."""
    safe = {key for key, declared in all_settings().items() if declared.safe}

    assert safe == {
        "sources.default_ticket_source",
        "scheduler.refresh_interval",
        "scheduler.retry_attempts",
        "scheduler.retry_delay",
        "scheduler.staleness_threshold",
        "ai.max_hops",
        "context.max_tokens",
        "context.shape",
    }


def test_a_wrong_switch(places: ProjectPaths) -> None:
    """A word in place of a switch is named with what may stand there."""
    write(places.user_settings_file, "[context]\ncommit = 'yes'\n")
    with pytest.raises(WrongSetting, match="commit = 'yes': expected true or false") as caught:
        load(places)

    assert caught.value.hint.startswith("Write true or false")


def test_safe_account_settings() -> None:
    """For an account an unknown file may set what every vendor's source has, and no more."""
    assert {field.name for field in fields(CommonSettings)} == SAFE_FOR_ACCOUNTS


def test_which_place_wins(places: ProjectPaths) -> None:
    """A flag wins over a variable, that over the project's file, that over the user's."""
    write(places.user_settings_file, "[ai]\nmax_hops = 1\n")
    seen = [load(places)]
    write(places.settings_file, "[ai]\n\nmax_hops = 2\n")
    seen.append(load(places))
    seen.append(load(places, ROVE_AI_MAX_HOPS="4"))
    flags = {"ai.max_hops": 5}
    seen.append(load_settings(places, flags=flags, environ={"ROVE_AI_MAX_HOPS": "4"}))

    assert [each.ai.max_hops for each in seen] == [1, 2, 4, 5]
    assert [each.origin("ai.max_hops") for each in seen] == [
        Origin("user", f"{places.user_settings_file}:2"),
        Origin("project", ".rove/settings.toml:3"),
        Origin("environment", "ROVE_AI_MAX_HOPS"),
        Origin("flag", "ai.max_hops"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "key", "value"),
    [
        ("ROVE_SOURCES_USE", "Jira, slack:work,", "sources.use", ("jira", "slack:work")),
        ("ROVE_CONTEXT_COMMIT", "yes", "context.commit", True),
        ("ROVE_SCHEDULER_RETRY_DELAY", "90s", "scheduler.retry_delay", timedelta(seconds=90)),
        ("ROVE_AI_ENGINE", "openai", "ai.engine", "openai"),
        ("ROVE_AI_API_KEY", "sk-1", "ai.api_key", Secret("sk-1")),
        ("ROVE_AI_MODEL", "", "ai.model", "gpt-4o-mini"),
    ],
)
def test_variables(places: ProjectPaths, name: str, text: str, key: str, value: object) -> None:
    """A variable says its value as plain text; an empty one says nothing."""
    assert load(places, **{name: text})[key] == value


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "[ai]\nmax_hop = 3\n",
            ".rove/settings.toml:2: there is no setting 'ai.max_hop'; did you mean 'max_hops'?",
            (
                "Known here: engine, api_base, api_key, model, max_hops, "
                "timeout, max_calls, max_tokens."
            ),
        ),
        (
            "\n[schedule]\n",
            ".rove/settings.toml:2: there is no setting 'schedule'; did you mean 'scheduler'?",
            "Known here: sources, scheduler, ai, context, credentials.",
        ),
        ("ai = 3\n", ".rove/settings.toml:1: ai is a table: write [ai]", "Fix the line"),
        (
            "[ai]\nmax_hops = 'three'\n",
            ".rove/settings.toml:2: ai.max_hops = 'three': expected a whole number",
            "Write a whole number; docs/reference/settings.md lists every key.",
        ),
        (
            "[ai]\nmax_hops = 99\n",
            ".rove/settings.toml:2: ai.max_hops = 99: max_hops must be between 0 and 10",
            "Write a whole number",
        ),
        (
            "ai.max_hops = true\n",
            ".rove/settings.toml:1: ai.max_hops = true: expected a whole number",
            "Write a whole number",
        ),
        (
            "[scheduler]\nretry_delay = '6 moons'\n",
            (
                ".rove/settings.toml:2: scheduler.retry_delay = '6 moons': "
                "'6 moons' is not a duration like 30m, 6h or 7d"
            ),
            "Write a duration like 30m, 6h or 7d",
        ),
        (
            "[sources]\ndefault_ticket_source = 'my jira'\n",
            (
                ".rove/settings.toml:2: sources.default_ticket_source = 'my jira': "
                "'my jira' is not an account name, like jira or jira:work"
            ),
            "Write text in quotes",
        ),
        (
            "[sources.Jira]\nrate_limit = 1\n",
            ".rove/settings.toml:1: [sources.Jira] is not an account or kind of source",
            "Names are lower case",
        ),
        (
            "[ai]\nmax_hops 3\n",
            ".rove/settings.toml:2: expected '=' after a key in a key/value pair, at: max_hops",
            "Fix the line",
        ),
    ],
)
def test_wrong_project_file(places: ProjectPaths, text: str, message: str, hint: str) -> None:
    """A mistake is one error with the file, the line, the value and the mend."""
    write(places.settings_file, text)

    with pytest.raises(WrongSetting) as caught:
        load(places)

    assert caught.value.message == message
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[ai]\napi_base = 'evil'\n", "ai.api_base = 'evil': expected a URL that begins with"),
        ("[ai]\napi_key = 123456\n", "ai.api_key = ***: expected text in quotes"),
        ("[sources]\nuse = 'jira'\n", "sources.use = 'jira': expected a list of texts"),
        ("[sources]\nuse = [\n 1,\n 2]\n", "sources.use = [ 1, 2]: expected a list of texts"),
    ],
)
def test_wrong_user_file(places: ProjectPaths, text: str, message: str) -> None:
    """In the user's file what is unsafe elsewhere is read, and checked."""
    write(places.user_settings_file, text)

    with pytest.raises(WrongSetting) as caught:
        load(places)

    assert f"{places.user_settings_file}:2: {message}" in caught.value.message


def test_wrong_variable(places: ProjectPaths) -> None:
    """A wrong variable is named, with what it takes."""
    with pytest.raises(WrongSetting) as caught:
        load(places, ROVE_AI_MAX_HOPS="many")

    assert caught.value.message == ("ROVE_AI_MAX_HOPS: ai.max_hops = many: expected a whole number")
    assert caught.value.hint == "Fix or unset ROVE_AI_MAX_HOPS: it takes a whole number."


def test_wrong_flag(places: ProjectPaths) -> None:
    """A wrong flag is named, with what it takes."""
    with pytest.raises(WrongSetting, match=r"context\.max_tokens = 1: max_tokens must") as caught:
        load_settings(places, flags={"context.max_tokens": 1}, environ={})

    assert caught.value.hint == "Write a whole number."


def test_long_values_are_cut(places: ProjectPaths) -> None:
    """A message shows the beginning of a long value, on one line."""
    write(places.settings_file, "[ai]\nmax_hops = '''\n" + "x" * 500 + "'''\n")

    with pytest.raises(WrongSetting) as caught:
        load(places)

    assert len(caught.value.message) < 150
    assert "\n" not in caught.value.message


def test_a_folder_for_a_file(places: ProjectPaths) -> None:
    """A folder in the place of the file is said to be one."""
    places.settings_file.mkdir()

    with pytest.raises(WrongSetting, match=r"\.rove/settings\.toml is not a file"):
        load(places)


def test_a_huge_file(places: ProjectPaths) -> None:
    """A file that no person wrote is not read."""
    write(places.settings_file, "#" * 1_000_001)

    with pytest.raises(WrongSetting, match="1000001 bytes"):
        load(places)


def test_unreadable_file(places: ProjectPaths) -> None:
    """A file that cannot be opened is named, with the reason."""
    places.user_settings_file.parent.mkdir()
    places.user_settings_file.symlink_to(places.user_settings_file)

    with pytest.raises(WrongSetting, match="cannot be read: ") as caught:
        load(places)

    assert caught.value.hint == f"Fix the permissions of {places.user_settings_file}."


def test_unsafe_settings_are_ignored(places: ProjectPaths) -> None:
    """What an unknown file says beyond the safe does not count, and the person is told."""
    write(
        places.settings_file,
        "[sources]\nuse = ['jira']\ndefault_ticket_source = 'jira'\n"
        "[ai]\napi_base = 5\n"
        "[sources.chat]\nrate_limit = 10\nchannels = ['all']\n",
    )
    settings = load(places)

    assert settings.sources.use == ()
    assert settings.sources.default_ticket_source == "jira"
    assert [(each.key, each.place) for each in settings.ignored] == [
        ("sources.use", ".rove/settings.toml:2"),
        ("sources.chat.channels", ".rove/settings.toml:8"),
        ("ai.api_base", ".rove/settings.toml:5"),
    ]
    assert "rove trust" in str(settings.ignored[0])
    assert chat(settings) == ChatSettings(rate_limit=10)


def test_trusted_file(places: ProjectPaths) -> None:
    """What the user vouched for counts in full, until the file wants something else."""
    write(places.settings_file, "[sources]\nuse = ['Jira']\n")
    record_trust(places, places.settings_file.read_bytes())
    trusted = load(places)
    write(places.settings_file, "# mine\n[sources]\nuse = ['Jira' ]\n")
    commented = load(places)
    write(places.settings_file, "[sources]\nuse = ['Jira', 'slack']\n")
    changed = load(places)

    assert trusted.sources.use == ("jira",)
    assert not trusted.ignored
    assert commented.sources.use == ("jira",)
    assert changed.sources.use == ()
    assert [each.key for each in changed.ignored] == ["sources.use"]


def test_api_key_in_a_file(places: ProjectPaths) -> None:
    """A key in a file works, is a secret, and earns a warning."""
    write(places.user_settings_file, "[ai]\napi_key = 'sk-file'\n")
    settings = load(places)
    (warning,) = settings.warnings

    assert settings["ai.api_key"] == Secret("sk-file")
    assert "sk-file" not in repr(settings)
    assert f"{places.user_settings_file}:2" in warning
    assert "ROVE_AI_API_KEY" in warning
    assert not load(places, ROVE_AI_API_KEY="sk-variable").warnings


@pytest.mark.parametrize("call", [Settings.__getitem__, Settings.origin])
def test_unknown_key_asked_for(places: ProjectPaths, call: object) -> None:
    """Asking for a setting that there is not is a wrong call with a suggestion."""
    assert callable(call)
    with pytest.raises(WrongCall, match=r"'ai\.hops'; did you mean 'ai\.max_hops'\?"):
        call(load(places), "ai.hops")


def test_account_settings(places: ProjectPaths) -> None:
    """An account's own table wins over its kind's, a nearer place over both."""
    write(
        places.user_settings_file,
        "[sources.chat]\nrate_limit = 1\npage_size = 1\nchannels = ['a']\nratio = 1\n"
        "[sources.'chat:work']\nrate_limit = 2\ntoken_refresh_buffer = 9\n",
    )
    write(places.settings_file, "[sources.chat]\nrate_limit = 3\n")
    settings = load(places, ROVE_SOURCES_CHAT_WORK_PAGE_SIZE="60")

    assert chat(settings, "Chat:Work") == ChatSettings(
        rate_limit=3, page_size=60, channels=("a",), ratio=1.0, token_refresh_buffer=9
    )
    assert chat(settings) == ChatSettings(rate_limit=3, page_size=1, channels=("a",), ratio=1.0)


def test_account_record_comes_last(places: ProjectPaths) -> None:
    """What was set when an account was added counts where nothing else is said."""
    write(places.user_settings_file, "[sources.chat]\nrate_limit = 1\n")
    found = load(places).account_settings(
        "chat", "chat", ChatSettings, given={"rate_limit": 7, "channels": ["b"]}
    )

    assert found == ChatSettings(rate_limit=1, channels=("b",))


def test_wrong_account_record(places: ProjectPaths) -> None:
    """A wrong value in an account's record names the account."""
    with pytest.raises(WrongSetting, match=r"accounts\.toml, chat: sources\.chat\.page_size = 'x'"):
        load(places).account_settings("chat", "chat", ChatSettings, given={"page_size": "x"})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("chanels = []", "there is no setting 'sources.chat.chanels'; did you mean 'channels'?"),
        ("channels = [1]", "sources.chat.channels = [1]: expected a list of texts"),
        ("ratio = 'x'", "sources.chat.ratio = 'x': expected a number"),
    ],
)
def test_wrong_account_settings(places: ProjectPaths, line: str, message: str) -> None:
    """A kind's own settings are checked like Rove's, once the kind is known."""
    write(places.user_settings_file, f"[sources.chat]\n{line}\n")
    settings = load(places)

    with pytest.raises(WrongSetting) as caught:
        chat(settings)

    assert caught.value.message == f"{places.user_settings_file}:2: {message}"


def test_set_in_a_new_project(places: ProjectPaths) -> None:
    """What the user commands is written, counts, and outlives the next command."""
    in_vain = [
        *set_setting(places, "sources.use", ["jira"]),
        *set_setting(places, "sources.default_ticket_source", "jira"),
    ]
    settings = load(places)

    assert not in_vain
    assert settings.sources.use == ("jira",)
    assert settings.sources.default_ticket_source == "jira"
    assert places.settings_file.read_text() == (
        '[sources]\nuse = ["jira"]\ndefault_ticket_source = "jira"\n'
    )


def test_accounts_that_are_added_at_once(places: ProjectPaths) -> None:
    """Whoever adds one keeps those that others add meanwhile."""
    names = [f"jira:w{number}" for number in range(8)]
    with ThreadPoolExecutor(len(names)) as threads:
        list(threads.map(lambda name: use_accounts(places, [name]), names))

    assert sorted(load(places).sources.use) == names


def test_set_makes_the_project(tmp_path: Path) -> None:
    """The first setting of a project makes its folder."""
    places = ProjectPaths(root=tmp_path, data_dir=tmp_path / "data", config_dir=tmp_path / "config")
    set_setting(places, "context.commit", value=True)

    assert (places.rove / ".gitignore").is_file()
    assert load(places).context.commit


def test_set_over_safe_settings(places: ProjectPaths) -> None:
    """A cloned file that says only what is safe becomes the user's word."""
    write(places.settings_file, "# theirs\n[ai]\nmax_hops = 2\n")

    assert set_setting(places, "sources.use", ["jira"]) == ()
    assert load(places).sources.use == ("jira",)


def test_set_over_a_foreign_value(places: ProjectPaths) -> None:
    """What a clone said of the very key that the user sets is gone, and counts against nothing."""
    write(places.settings_file, "[sources]\nuse = ['theirs']\n")

    assert set_setting(places, "sources.use", ["jira"]) == ()
    assert load(places).sources.use == ("jira",)


def test_set_blesses_nothing_foreign(places: ProjectPaths) -> None:
    """Writing one key does not vouch for the unsafe ones that a clone brought."""
    write(places.settings_file, "[ai]\napi_base = 'https://evil.example'\n")
    in_vain = set_setting(places, "sources.use", ["jira"])
    settings = load(places)

    assert [each.key for each in in_vain] == ["ai.api_base", "sources.use"]
    assert settings.ai.api_base == ""
    assert settings.sources.use == ()
    assert not is_trusted(places, places.settings_file.read_bytes())


def test_set_in_a_trusted_file(places: ProjectPaths) -> None:
    """A file that the user vouched for stays trusted when Rove writes to it."""
    write(places.settings_file, "[ai]\nmodel = 'mine'\n")
    record_trust(places, places.settings_file.read_bytes())
    set_setting(places, "ai.max_hops", 1)

    assert load(places).ai.model == "mine"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("ai.hops", 1, "there is no setting 'ai.hops'; did you mean 'ai.max_hops'?"),
        ("ai.max_hops", "1", "ai.max_hops = '1': expected a whole number"),
        ("context.max_tokens", 1, "max_tokens must be between 500 and 1000000"),
    ],
)
def test_set_wrongly(places: ProjectPaths, key: str, value: str | int, message: str) -> None:
    """A wrong key or value is refused, and nothing is written."""
    with pytest.raises(WrongCall) as caught:
        set_setting(places, key, value)

    assert message in caught.value.message
    assert not places.settings_file.exists()


def test_set_by_hand(places: ProjectPaths) -> None:
    """Where one key cannot be set alone the file stays, and the line to write is shown."""
    write(places.settings_file, "ai = { max_hops = 1 }\n")

    with pytest.raises(WrongSetting, match=r"settings\.toml:1: ai\.model cannot be set") as caught:
        set_setting(places, "ai.model", "mine")

    assert caught.value.hint == 'Edit it there, in [ai]: model = "mine"'
    assert places.settings_file.read_text() == "ai = { max_hops = 1 }\n"


def test_set_follows_no_link(places: ProjectPaths, tmp_path: Path) -> None:
    """A settings file that a clone made a link to elsewhere is not written."""
    (tmp_path / "theirs.toml").write_text("")
    places.settings_file.symlink_to(tmp_path / "theirs.toml")

    with pytest.raises(UnsafePlace, match=r"settings\.toml is a link"):
        set_setting(places, "ai.max_hops", 1)


@given(st.integers(0, 999_999), st.sampled_from([("s", 1), ("m", 60), ("h", 3600), ("d", 86400)]))
def test_durations(number: int, unit: tuple[str, int]) -> None:
    """A duration is a number and a unit."""
    letter, seconds = unit

    assert parse_duration(f"{number}{letter}") == timedelta(seconds=number * seconds)


@pytest.mark.parametrize("text", ["", "6", "h", "-1h", "1.5h", "6 hours", "9999999d", "1h30m"])
def test_no_duration(text: str) -> None:
    """Anything else is none."""
    with pytest.raises(ValueError, match="is not a duration"):
        parse_duration(text)
