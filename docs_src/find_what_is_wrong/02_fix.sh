rove doctor --fix | grep fixed
