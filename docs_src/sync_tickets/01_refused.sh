rove ticket status TB-123 Merged 2>&1 || true
