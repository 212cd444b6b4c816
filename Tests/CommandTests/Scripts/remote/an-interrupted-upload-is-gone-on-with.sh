# --resume goes on with the upload that the note beside the source names, wherever the run before was killed: parts that the
# store has are not sent again.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs python3
head -c 17M /dev/urandom >plain
run=("$SLUICE" -q --resume --upload-part=5M)
note=.plain.upload.note
# store FAULT...: another store. What was asked of one that is silent comes into its log late.
store() {
    name=store$((++stores))
    log=$name.log
    keep "$name" "$@"
}
stores=0
# sent N: so many parts were sent since the log was emptied.
sent() { [ "$(grep -c partNumber= "$log")" = "$1" ] || fail "not $1 parts: $(cat "$log")"; }
# whole: the object has the bytes of the file, and nothing is left.
whole() {
    nothing uploads
    works "$SLUICE" -qdc s3://bucket/x.zst >got
    same got plain
    absent "$note"
}
# Killed while an upload begins, at parts, and at the end.
for fault in create:1:1 part:1:9 part:2:9 part:4:9 complete:1:1; do
    store "fail=$fault:silent"
    spawn "$name.end" "${run[@]}" plain -o s3://bucket/x.zst 2>/dev/null &
    process=$(pid "$name.end")
    case $fault in
    create*) await grep -q HEAD "$log" ;;
    part*) await eval "[ \"\$(stored uploads | cut -f 2)\" -ge $((${fault:5:1} - 1)) ]" ;;
    complete*) await eval '[ "$(stored uploads | cut -f 2)" = 4 ]' ;;
    esac
    sleep 0.2
    kill -KILL "$process"
    ended "$name.end" SIGKILL
    nothing objects
    had=$(stored uploads | cut -f 2)
    sleep 0.2
    : >"$log"
    [ ! -s $note ] || { [ "$(stat -c %a $note)" = 600 ] && refuses grep -qi hidden $note; } || fail "$(cat $note)"
    stored mend >got
    works timeout 60 "${run[@]}" plain -o s3://bucket/x.zst
    sent $((4 - ${had:-0}))
    whole
done
# A signal, and a failure, leave the upload, and say what ends it.
store fail=part:3:1:silent fail=complete:1:1:403.AccessDenied
spawn "$name.end" "${run[@]}" plain -o s3://bucket/x.zst 2>store.messages &
process=$(pid "$name.end")
await eval '[ "$(stored uploads | cut -f 2)" -ge 2 ]'
kill -INT "$process"
ended "$name.end" SIGINT 3 "$(now)"
grep -q 's3://bucket/x.zst: the upload is left: the same command continues it; aws s3api abort-multipart-upload ' \
    store.messages || fail "$(cat store.messages)"
had=$(stored uploads | cut -f 2)
: >"$log"
fails "${run[@]}" plain -o s3://bucket/x.zst
says 'AccessDenied'
says 'the same command continues it; aws s3api abort-multipart-upload --bucket bucket --key '
[ "$(grep -c 'the same command' "$messages")" = 1 ] || fail "$(cat "$messages")"
sent $((4 - had))
: >"$log"
works "${run[@]}" --verify=file plain -o s3://bucket/x.zst
sent 0
whole
# By tags; where these are no MD5, by checksums, or not at all; and where the key may not list parts, not at all.
for faults in no-checksums kms 'kms no-checksums' no-list; do
    # shellcheck disable=SC2086  # two words
    store $faults fail=complete:1:1:403.AccessDenied
    fails "${run[@]}" plain -o s3://bucket/x.zst
    : >"$log"
    works "${run[@]}" plain -o s3://bucket/x.zst
    case $faults in kms*no* | no-list) sent 4 ;; *) sent 0 ;; esac
    whole
done
# begun: an upload of all parts is left.
begun() {
    store fail=complete:1:1:403.AccessDenied
    fails "${run[@]}" plain -o s3://bucket/x.zst
    : >"$log"
}
# A source that has changed, other options, another key: the upload stays, and its end is told. -f ends that of the same
# object.
for change in source options key; do
    begun
    more=() to=s3://bucket/x.zst
    case $change in
    source) touch plain ;;
    options) more=(-5 --http-header='x-amz-storage-class: GLACIER') ;;
    key) to=s3://bucket/y.zst ;;
    esac
    fails "${run[@]}" "${more[@]}" plain -o $to
    says 'is not complete: aws s3api abort-multipart-upload --bucket bucket --key '
    [ -s $note ] || fail 'the note is gone'
    sent 0
    if [ $change = key ]; then
        fails "${run[@]}" -f plain -o $to
        says "without $note it is forgotten"
        rm $note
        stored forget >got
        continue
    fi
    fails "${run[@]}" "${more[@]}" plain -o $to
    says 'hint: -f starts over'
    works "${run[@]}" "${more[@]}" -f plain -o $to
    says 's3://bucket/x.zst: the upload of an earlier run of another source, with other options or to another object is ended'
    sent 4
    nothing uploads
    absent $note
    works "$SLUICE" -qdc $to >got
    same got plain
done
# An upload that somebody has ended begins anew.
begun
stored forget >got
works "${run[@]}" plain -o s3://bucket/x.zst
says 'it begins anew'
sent 4
whole
# What a gate says about the list is believed neither: the note stays.
store fail=complete:1:1:403.AccessDenied fail=list:1:1:404.NoSuchBucket
fails "${run[@]}" plain -o s3://bucket/x.zst
: >"$log"
fails "${run[@]}" plain -o s3://bucket/x.zst
says 'the upload of an earlier run may be left there: aws s3api abort-multipart-upload '
works "${run[@]}" plain -o s3://bucket/x.zst
sent 0
whole
# Nobody else writes the note, and two runs do not go on with one upload.
begun
chmod 644 $note
fails "${run[@]}" plain -o s3://bucket/x.zst
says "can't continue $note: "
chmod 600 $note
if [ "$(id -u)" = 0 ]; then
    chown 65534 $note
    fails "${run[@]}" plain -o s3://bucket/x.zst
    says "can't continue $note: "
    chown 0 $note
fi
ln $note other
fails "${run[@]}" plain -o s3://bucket/x.zst
says "hint: $note must belong to you, with mode 0600 and one link"
rm $note
ln -s other $note
fails "${run[@]}" plain -o s3://bucket/x.zst
says "can't continue $note: "
rm $note
mv other $note
[ ! -s "$log" ] || fail "the store was asked: $(cat "$log")"
flock $note sleep 5 &
holder=$!
await eval "! flock -n $note true"
fails "${run[@]}" plain -o s3://bucket/x.zst
says 'another process is uploading plain'
kill $holder
[ ! -s "$log" ] || fail "the store was asked: $(cat "$log")"
wait $holder || true
await flock -n $note true
# --rm removes the source when the object is there; -f replaces one.
cp plain copy
works "${run[@]}" --rm plain -o s3://bucket/x.zst
sent 0
absent plain
mv copy plain
fails "${run[@]}" plain -o s3://bucket/x.zst
says 's3://bucket/x.zst: already exists: not replaced'
absent $note
works "${run[@]}" -f plain -o s3://bucket/x.zst
whole
# What fits one part leaves nothing.
echo small >small
works "$SLUICE" -q --resume small -o s3://bucket/small.zst
absent .small.upload.note
# Decompression, of which the size is not known.
works "$SLUICE" -q plain -o plain.zst
store fail=complete:1:1:403.AccessDenied
fails "${run[@]}" -d plain.zst -o s3://bucket/x
: >"$log"
works "${run[@]}" -d plain.zst -o s3://bucket/x
sent 0
rm got
works "$SLUICE" -q --copy s3://bucket/x -o got
same got plain
# Damaged input would fail again: nothing is left.
head -c 16M plain.zst >torn.zst
fails "${run[@]}" -d torn.zst -o s3://bucket/torn
nothing uploads
absent .torn.zst.upload.note
refuses grep -q continues "$messages" || fail "$(cat "$messages")"
# Refused before anything is asked: parts without memory for them, a file of that name that is no note, no file, and a
# folder where no note can be.
: >"$log"
fails "$SLUICE" -q --resume -M64M --upload-part=1G plain -o s3://bucket/x.zst
says 'parts of '
absent $note
echo mine >$note
chmod 600 $note
fails "${run[@]}" plain -o s3://bucket/x.zst
says "$note is no note that this version understands"
[ "$(cat $note)" = mine ] || fail "$(cat $note)"
rm $note
fails "${run[@]}" /dev/stdin -o s3://bucket/x.zst <plain
says 'has no name'
mkfifo pipe
fails "${run[@]}" pipe -o s3://bucket/x.zst <>pipe
says 'pipe: is not a file: --resume needs one'
if [ "$(id -u)" = 0 ]; then
    mkdir -m 755 closed
    cp plain closed
    chmod -R a+rX .
    fails ordinary "${run[@]}" closed/plain -o s3://bucket/x.zst
    says "can't create closed/.plain.upload.note: permission denied"
    says 'hint: --resume keeps a note beside the source'
fi
[ ! -s "$log" ] || fail "the store was asked: $(cat "$log")"
