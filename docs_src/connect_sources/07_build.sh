rove --ticket TB-123
