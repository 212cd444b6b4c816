corpus random 8M >a
mkfifo data
export IGNORED=PIPE
spawn status "$SLUICE" -B1M -c a >data 2>"$messages" &
head -c 1 <data >read
ended status 1
says 'standard output: can'
says 'broken pipe'
