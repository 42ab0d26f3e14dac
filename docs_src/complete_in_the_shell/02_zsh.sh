echo 'eval "$(rove completion zsh)"' >> ~/.zshrc
