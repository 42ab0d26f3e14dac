rove --demo . > /dev/null
rove --start-server > /dev/null
curl -s --unix-socket .rove/api.sock http://localhost/find/TB-123
