curl -s --unix-socket .rove/api.sock http://localhost/health
