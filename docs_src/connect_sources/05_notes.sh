mkdir -p ~/notes
rove --add-source notes --set folder=~/notes
