mkdir -p ~/.config/fish/completions
_ROVE_COMPLETE=fish_source rove > ~/.config/fish/completions/rove.fish
