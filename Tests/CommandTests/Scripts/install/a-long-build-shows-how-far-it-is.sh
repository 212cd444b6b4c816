# A first build takes minutes: on a terminal the last line of its log is shown in place, elsewhere one every 30 seconds.
cat >build <<'END'
source "$ROOT/scripts/setup.bash"
sleep() { command sleep 0.1; }
watch_log log
for step in 1 2 3; do
    echo "[$step/3] Compiling Sluice" >>log
    command sleep 0.3
done
stop_watching
say 'ready'
END
: >log
env -u BASH_ENV bash build >out 2>said
[ ! -s out ]
grep -q '^build: still at it after [0-9]* s: \[[123]/3\] Compiling Sluice$' said || fail "$(cat said)"
[ "$(tail -n 1 said)" = 'build: ready' ]
: >log
timeout 20 script -qec 'env -u BASH_ENV bash build' /dev/null </dev/null >terminal
tr '\r' '\n' <terminal | grep -q '^\[3/3\] Compiling Sluice' || fail "$(cat -v terminal)"
refuses grep -q 'still at it' terminal
# Nobody waits for it when the script has ended, nor after it was killed.
: >log
timeout 20 env -u BASH_ENV bash -c 'source "$ROOT/scripts/setup.bash"; watch_log log; stop_watching' 2>&1 | cat
