rove --status
