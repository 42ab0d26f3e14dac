"""Commands that are no operations, each with its home and its title."""

from collections.abc import Mapping
from typing import Final

#: Commands that no operation can express: they talk to a person, or to no project.
APP: Final[Mapping[str, tuple[str, str]]] = {
    "completion": (
        "rove.help_commands:completion_command",
        "Print the script that completes commands, options and their values in a shell.",
    ),
    "demo": ("rove.demo:command", "See Rove work on a sample company, with no account."),
    "help": (
        "rove.help_commands:help_command",
        "Show the help of a command, or explain an error by its code.",
    ),
    "man": (
        "rove.help_commands:man_command",
        "Show the manual page of Rove or of a command, or write all of them into a folder.",
    ),
    "plugins check": ("rove.check_plugin:command", "Check an installed plugin."),
    "plugins new": ("rove.new_plugin:command", "Make a source plugin of your own."),
    "server start": (
        "rove.server_commands:start_command",
        "Start this project's server if it is not running.",
    ),
    "server status": (
        "rove.server_commands:status_command",
        "Show whether this project's server is running (exit code 6 if not).",
    ),
    "server stop": (
        "rove.server_commands:stop_command",
        "Stop this project's server; unfinished tasks continue with the next one.",
    ),
    "settings edit": (
        "rove.edit_settings:command",
        "Edit the settings file of this project, or your own, in your editor.",
    ),
    "sources add": ("rove.add_source:command", "Connect a source and log in to it."),
    "version": ("rove.help_commands:version_command", "Print the version."),
}
