rove ac verify TB-123#1 verified --tests tests/test_avatar.py::test_png_is_shown
rove ac verify TB-123#2 failed --notes "6 MB got through"
