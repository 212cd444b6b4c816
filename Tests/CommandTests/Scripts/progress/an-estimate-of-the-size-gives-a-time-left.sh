. "$SCRIPTS/progress/terminal.bash"
corpus random 6M >data
# Where nothing exact is known: pipes and commands. The time left is marked, and the end is not told too early.
terminal pipe 100 6 "cat data | '$SLUICE' -B256K --limit-rate=2M --size-hint=5M -o pipe.zst"
terminal command 100 6 "'$SLUICE' -B256K --limit-rate=2M --size-hint=6M -o command.zst --from-command -- cat data"
terminal file 100 6 "'$SLUICE' -B256K --limit-rate=2M --size-hint=99M data -o file.zst"
await shows pipe '^pipe.zst \[=*> *\] +~[0-9]+% .* ETA +~0:0[0-9]'
await shows command '^command.zst \[=*> *\] +~[0-9]+% .* ETA +~0:0[0-9]'
await shows file '^data \[=*> *\] +[2-9][0-9]% .* ETA +0:0[0-9]'
await shows pipe '~99% .* ETA +-'
# In the end all is done, and the summary has the name of the output.
for name in pipe command file; do await shows $name END; done
shows pipe '^pipe.zst: 6.00 MiB > ' || fail "$(screen pipe)"
shows command '^command.zst: 6.00 MiB > ' || fail "$(screen command)"
# No byte depends on it, and programs see what it is.
cat data | works "$SLUICE" -q -B256K --size-hint=5M --progress=json >out.zst
same pipe.zst out.zst
says '"totalBytes":5242880,"totalIsEstimate":true}'
says '"fraction":1,'
