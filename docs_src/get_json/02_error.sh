rove --find TB-9 --json 2> error.json || echo "exit code $?"
cat error.json
