rove explain TB-123 | grep -m 2 names | cut -c 1-60
