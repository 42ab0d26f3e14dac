rove --demo . > /dev/null
rove --find TB-123 --json
