rove purge --all --documents --yes
