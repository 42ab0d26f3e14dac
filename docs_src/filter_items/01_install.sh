python -m pip install --quiet .
rove --ticket TB-123
grep -m 2 '^— .*colleague' "$(rove --find TB-123)"
