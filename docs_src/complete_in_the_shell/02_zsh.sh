_ROVE_COMPLETE=zsh_source rove > ~/.rove-complete.zsh
echo '. ~/.rove-complete.zsh' >> ~/.zshrc
