rove trust --yes
rove settings | grep sources.use
