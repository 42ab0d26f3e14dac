mkdir -p .rove && cp settings.toml .rove/    # as a clone would bring it
rove trust --show
