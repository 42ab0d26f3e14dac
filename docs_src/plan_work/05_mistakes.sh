rove plan link $store $resize blocks 2>&1 || true
rove plan update $resize --status in_progress 2>&1 || true
rove plan update nothing-like-it --status canceled 2>&1 || true
