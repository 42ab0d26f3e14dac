"""A slice of the simulator: no edit is lost, doubled or written over what nobody saw."""

import pytest
from benchmarks.sync.vendor import PROFILES
from benchmarks.sync.world import ACTIONS, World, run_world
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rove_memory.sync import merge
from rove_memory.sync.intake import ItemIntake


def test_no_seed_breaks_an_invariant() -> None:
    """With each vendor's traits, faults and crashes nothing that the oracle watches is broken."""
    for profile in PROFILES:
        assert run_world(profile, 1, steps=150) == []


def test_the_first_design_taken_literally_fails() -> None:
    """The oracle sees what is wrong with a sync that has no base, no keys and no read-back."""
    for profile in PROFILES:
        assert run_world(profile, 1, steps=150, literal=True)


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck])
@given(
    seed=st.integers(0, 1_000),
    profile=st.sampled_from(PROFILES),
    actions=st.lists(st.sampled_from([*ACTIONS]), max_size=40),
)
def test_no_plan_breaks_an_invariant(seed: int, profile: object, actions: list[str]) -> None:
    """Whatever the order in which things happen; a plan that fails is shrunk to a short one."""
    world = World(profile, seed)  # type: ignore[arg-type]  # one of the profiles
    for action in actions:
        world.act(action)

    assert world.rest() == []


@pytest.mark.parametrize(
    ("place", "name", "without", "invariant"),
    [
        (merge, "_is_foreign", lambda *_: False, "I2"),
        (ItemIntake, "lose", lambda *_: None, "I6"),
        (ItemIntake, "take_listed", lambda self, work, **_: self.take(work), "I10"),
    ],
)
def test_the_oracle_sees_what_is_taken_out(
    place: object, name: str, without: object, invariant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of the engine that is missing breaks its invariant within a few seeds."""
    monkeypatch.setattr(place, name, without)

    assert any(
        line.startswith(f"{invariant}:")
        for seed in range(12)
        for line in run_world(PROFILES[3], seed, steps=150)
    )
