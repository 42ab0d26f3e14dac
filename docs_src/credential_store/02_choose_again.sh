rove sources move-logins
