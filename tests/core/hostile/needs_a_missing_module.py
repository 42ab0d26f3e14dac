"""Imports what nobody has installed."""

# mypy: ignore-errors

import a_module_that_nobody_has
