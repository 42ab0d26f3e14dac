rove --find TB-123
rove --search "authentication"
