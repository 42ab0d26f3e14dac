import sys
from pathlib import Path
import pytest
sys.path.insert(0, "/work/main/tests/docs")
CONNECTED = {"several_accounts","use_as_library","add_an_operation","filter_items","read_logs"}
def test_try(steps, sandbox):
    if steps.name in CONNECTED: sandbox.connect()
    for name, text in sandbox.run_steps(steps).items():
        print("#", steps.name, name); print(text)
