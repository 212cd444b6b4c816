# Ctrl-C in each phase: nothing remains. After KILL there is no object.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs python3
head -c 12M /dev/urandom >plain
for phase in create part complete; do
    for kind in slow silent; do
        name=$phase-$kind
        keep "$name" "fail=$phase:1:100:$kind"
        spawn "$name.end" "$SLUICE" -q --upload-part=5M plain -o s3://bucket/x.zst 2>"$name.messages" &
        run=$(pid "$name.end")
        case $phase in
        create) await grep -q HEAD "$name.log" ;;
        part) await grep -q uploads= "$name.log" ;;
        complete) await eval "[ \$(grep -c partNumber= $name.log) = 3 ]" ;;
        esac
        sleep 0.2
        start=$(now)
        kill -INT "$run"
        ended "$name.end" SIGINT 3 "$start"
        # The answer to the request that makes the object is waited for, and the upload is not ended meanwhile.
        if [ $phase-$kind = complete-slow ]; then
            grep -q DELETE "$name.log" && fail "the upload was ended: $(cat "$name.log")"
            grep -q 's3://bucket/x.zst: the object was made all the same' "$name.messages" || fail "$(cat "$name.messages")"
            works "$SLUICE" -qdc s3://bucket/x.zst >got
            same got plain
        else
            nothing objects
        fi
        # An upload whose ID never came has no parts. That of a slow answer is ended.
        stored uploads | grep -v $'\t0$' && fail "an upload is left in $phase, $kind"
        [ $phase-$kind = create-silent ] || [ $phase-$kind = complete-silent ] || nothing uploads
    done
done
# The same of an output that is one request.
keep put fail=put:1:1:slow
spawn put.end "$SLUICE" -q plain -o s3://bucket/x.zst 2>put.messages &
run=$(pid put.end)
await eval '[ $(grep -c HEAD put.log) = 2 ]'
sleep 0.2
start=$(now)
kill -INT "$run"
ended put.end SIGINT 3 "$start"
grep -q 's3://bucket/x.zst: the object was made all the same' put.messages || fail "$(cat put.messages)"
works "$SLUICE" -qdc s3://bucket/x.zst >got
same got plain
keep killed fail=part:2:100:silent
spawn killed.end "$SLUICE" -q --upload-part=5M plain -o s3://bucket/x.zst 2>/dev/null &
run=$(pid killed.end)
await grep -q partNumber= killed.log
kill -KILL "$run"
ended killed.end SIGKILL
nothing objects
