# What asks the terminal for its width takes long, and the run ends meanwhile; then its statistics take long to be named.
needs script
corpus random 4M >data
delays='-e inject=ioctl:delay_enter=500000 -e inject=linkat,renameat,renameat2,rename:delay_enter=1500000'
script -qec "strace -f -qq -o '$LOGS/calls' -e trace=ioctl,linkat,renameat,renameat2,rename $delays \
    '$SLUICE' -c --limit-rate=4M data --progress=bar --stats-file=json >/dev/null" /dev/null >said </dev/null
perl -0777 -ne 'exit(/%/ && /.*\e\[K(.*)/s && $1 !~ /%/ ? 0 : 1)' said || fail "$(cat -v said)"
