rove --ticket TB-124
