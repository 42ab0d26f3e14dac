rove --server-status > /dev/null && echo "it runs"
