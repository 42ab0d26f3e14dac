rove trust --revoke > /dev/null
