mkdir -p ~/.config/fish/completions
rove completion fish > ~/.config/fish/completions/rove.fish
