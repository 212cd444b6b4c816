needs node
source "$SCRIPTS/statistics/tools.bash"
corpus text 100K >old
corpus text 90K >new
corpus random 10K >dict
works "$SLUICE" -q --stats --patch-from=old new --report=report.html --stats-file=stats.json
says 'patch of old'
drawn report.html | grep '<dt>patch of</dt><dd>old</dd>' >&9
grep -q '"patchSource" *: *"old"' stats.json
works "$SLUICE" -qf --stats -D dict new --report=report.html --stats-file=stats.json
says 'dictionary dict'
drawn report.html | grep '<dt>dictionary</dt><dd>dict</dd>' >&9
grep -q '"dictionary" *: *"dict"' stats.json
rm new
works "$SLUICE" -d --stats -D dict new.zst
says 'dictionary dict'
