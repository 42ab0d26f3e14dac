"""The checkout, as the tests of its packages read it."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

ROOT = Path(__file__).parents[2]
