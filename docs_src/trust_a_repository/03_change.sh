echo '# a harmless remark' >> .rove/settings.toml
rove settings get sources.use
sed -i.before 's/"notes"\]/"notes", "jira"]/' .rove/settings.toml
rove trust --show
