source "$SCRIPTS/statistics/tools.bash"
corpus text 100K >old
corpus text 90K >new
corpus random 10K >dict
works "$SLUICE" -q --stats --patch-from=old new --report=report.html --stats-file=stats.json
says 'patch of old'
grep -q '<dt>patch of</dt><dd>old</dd>' report.html
grep -q '"patchSource" *: *"old"' stats.json
works "$SLUICE" -qf --stats -D dict new --report=report.html --stats-file=stats.json
says 'dictionary dict'
grep -q '<dt>dictionary</dt><dd>dict</dd>' report.html
grep -q '"dictionary" *: *"dict"' stats.json
rm new
works "$SLUICE" -d --stats -D dict new.zst
says 'dictionary dict'
