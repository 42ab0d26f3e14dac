mkdir -p api && cd api && git init --quiet
rove session start TB-123
