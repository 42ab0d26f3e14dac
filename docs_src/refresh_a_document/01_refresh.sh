rove --ticket TB-123 > /dev/null
rove refresh TB-123
