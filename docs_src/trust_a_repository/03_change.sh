echo '# a harmless remark' >> .rove/settings.toml
rove settings | grep sources.use
rove sources list 2>&1
