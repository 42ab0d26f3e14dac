curl -s --unix-socket .rove/api.sock http://localhost/tasks \
    -H "Content-Type: application/json" \
    -d '{"operation": "reindex"}' | grep -o '"state": "[a-z]*"'
