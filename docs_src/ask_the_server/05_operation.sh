curl -s --unix-socket .rove/api.sock http://localhost/operations/prime \
    -H "Content-Type: application/json" -d '{"branch": "fix/tb-123"}' | grep -o '"ticket": "[A-Z0-9-]*"'
