rove plan update $resize --status in_progress > resize.txt
rove plan create "Keep the colours of CMYK pictures" --discovered-from $resize --json > cmyk.json
rove plan update $resize --status completed
rove plan graph
