grep -o 'ticket=[^ ]* .*wall=[0-9.]*' .rove/logs/performance.log | sed 's/ .*wall=/ /' | sort -k 2 -n -r
