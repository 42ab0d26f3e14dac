curl -s --unix-socket .rove/api.sock "http://localhost/search?q=oauth+authentication"
