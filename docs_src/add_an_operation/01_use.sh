python -m pip install --quiet .
rove mentions "Fixes TB-123, after TB-456"
rove mentions "Fixes TB-123" --json
