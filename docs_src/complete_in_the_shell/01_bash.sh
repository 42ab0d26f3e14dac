_ROVE_COMPLETE=bash_source rove > ~/.rove-complete.bash
echo '. ~/.rove-complete.bash' >> ~/.bashrc
