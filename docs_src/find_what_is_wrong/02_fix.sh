rove doctor --fix | grep mended
