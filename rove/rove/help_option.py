"""The help option of Rove's commands."""

from typing import Final

import click

#: Where Click keeps the value of its own help option, apart from any parameter called "help".
_STORAGE: Final = "_click_default_help"


class Command(click.Command):
    """A command with a help option in English: Click looks for a translation in each run."""

    _own_help: click.Option | None = None

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the help option; None if the command has none."""
        names = self.get_help_option_names(ctx)
        if not names or not self.add_help_option:
            return None
        if self._own_help is None:  # Click compares it by identity.
            self._own_help = click.Option(
                [*names, _STORAGE],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_show_help,
                help="Show this message and exit.",
            )
        return self._own_help


def _show_help(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001  # Click's own
    if value and not context.resilient_parsing:
        click.echo(context.get_help(), color=context.color)
        context.exit()
