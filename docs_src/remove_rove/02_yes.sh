rove purge --yes
