rove ac verify TB-123#3 verified --tests test_old_is_deleted --files tests/test_avatars.py 2>&1 || true
