export ROVE_SYNC_AUTO_PUSH_ON_STATUS_CHANGE=false
rove ticket status TB-123 "In Review" --add-comment "Began with the resizing."
rove sync push --dry-run
