# Statistics, progress, the verdict; --rm and --verify=file; memory within the bound.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs python3
head -c 13M /dev/urandom >plain
keep store fail=part:2:1:503.SlowDown
works "$SLUICE" -q --stats=json --upload-part=5M plain -o s3://bucket/x.zst
python3 - "$messages" <<'END'
import json, sys
statistics = json.load(open(sys.argv[1]))
stages = {stage["name"]: stage for stage in statistics["stages"]}
assert stages["upload"]["operations"] == 3, stages["upload"]
assert stages["upload"]["retries"] >= 1, stages["upload"]
assert stages["upload"]["bytes"] == stages["write"]["bytes"] == statistics["bytesOut"], stages
assert "name" in stages and "sync" not in stages, stages
assert [stage.get("retries") for name, stage in stages.items() if name != "upload"] == [None] * (len(stages) - 1)
assert statistics["run"]["outputs"] == ["s3:/bucket/x.zst"] or statistics["run"]["outputs"] == ["s3://bucket/x.zst"]
END
# An output that is smaller than a part is sent, too.
keep small fail=put:1:1:503
works "$SLUICE" -q --stats=json plain -o s3://bucket/x.zst
python3 - "$messages" <<'END'
import json, sys
stages = {stage["name"]: stage for stage in json.load(open(sys.argv[1]))["stages"]}
assert stages["upload"]["operations"] == 1 and stages["upload"]["retries"] == 1, stages["upload"]
END
keep slow fail=complete:1:1:slow
works "$SLUICE" --progress=json --interval=0.1 --upload-part=5M plain -o s3://bucket/x.zst
says 'waiting for s3://bucket/x.zst to be complete'
# Of an output that is one request how much was sent is shown, too.
keep crawling fail=put:1:1:crawl
works "$SLUICE" --progress=json --interval=0.1 --trace=trace plain -o s3://bucket/x.zst
says 'to s3://bucket/x.zst'
grep -qE '"sent [0-9.]+ MiB of 13.0 MiB to s3://bucket/x.zst"' "$messages" || fail "$(cat "$messages")"
grep -q '"sender 1"' trace || fail "$(cat trace)"

# The source goes after the object is there, and only then.
keep failing fail=complete:1:100:403
cp plain source
fails "$SLUICE" -q --rm --upload-part=5M source -o s3://bucket/x.zst
[ -e source ] || fail "the source is gone"
keep working
works "$SLUICE" -q --rm --upload-part=5M source -o s3://bucket/x.zst
absent source

# The object is read back. Where it is not right, it is removed, unless it took the place of another.
keep verified
works "$SLUICE" -q --verify=file plain -o s3://bucket/x.zst
grep -q '^GET' verified.log || fail "it was not read back"
keep corrupt corrupt
cp plain source
for force in '' -f; do
    fails "$SLUICE" -q $force --rm --verify=file source -o s3://bucket/x.zst
    says 's3://bucket/x.zst: read back from the store: '
    says 'the object is removed'
    nothing objects
    [ -e source ] || fail "the source is gone"
done
works "$SLUICE" -q plain -o s3://bucket/x.zst
fails "$SLUICE" -qf --verify=file source -o s3://bucket/x.zst
says 'it stays there'
[ "$(stored objects)" ] || fail "the object is gone"

# What could not be read says nothing about the object, nor does an older version of it, or what somebody has put in its place.
for fault in fail=get:1:100:403 replaced; do
    keep unread $fault
    fails "$SLUICE" -q --rm --verify=file source -o s3://bucket/x.zst
    says 's3://bucket/x.zst: the object was made, but could not be read back: '
    [ "$(stored objects)" ] || fail "$fault: the object is gone"
    [ -e source ] || fail "the source is gone"
done
keep encrypted
works "$SLUICE" -q --verify=file --http-header='x-amz-server-side-encryption: AES256' plain -o s3://bucket/x.zst
# Of what is read the lines say nothing either.
works "$SLUICE" -q --copy --http-header='x-amz-server-side-encryption: AES256' s3://bucket/x.zst -o s3://bucket/y.zst
# A signal while it is read back.
keep reading fail=get:1:100:silent
spawn reading.end "$SLUICE" -q --verify=file plain -o s3://bucket/x.zst 2>reading.messages &
run=$(pid reading.end)
await eval '[ "$(stored objects)" ]'
sleep 0.2
start=$(now)
kill -INT "$run"
ended reading.end SIGINT 3 "$start"
grep -q 's3://bucket/x.zst: the object was made, but could not be read back' reading.messages || fail "$(cat reading.messages)"

# Lines that libcurl before 8.10 would sign in an order that stores refuse are refused before the object is sent.
keep keyed
run=("$SLUICE" -q --http-header='x-amz-server-side-encryption: aws:kms' \
    --http-header='x-amz-server-side-encryption-aws-kms-key-id: 1' plain -o s3://bucket/x.zst)
if ! "${run[@]}" 2>"$messages"; then
    says "can't sign x-amz-server-side-encryption together with x-amz-server-side-encryption-aws-kms-key-id"
    grep -q '^P' keyed.log && fail "it was sent: $(cat keyed.log)"
fi

# A store and a server of one run learn their own secrets only.
mkdir there
cp plain there
serve there --log-header Authorization --log-header Cookie --log-header x-amz-server-side-encryption-customer-key
there=$url
keep secret
cat >lines <<'END'
Authorization: hidden
Cookie: hidden
x-amz-server-side-encryption-customer-key: hidden
END
works "$SLUICE" -q --copy --http-header=@lines "$there/plain" -o s3://bucket/x
grep -q 'hidden.*hidden' there.log || fail "the server did not learn its lines: $(cat there.log)"
grep -q 'hidden.*hidden.*hidden' there.log && fail "the server has the key of the store: $(cat there.log)"
grep -q 'customer-key$' secret.log || fail "the store did not learn its line: $(cat secret.log)"
grep -qE 'authorization|cookie' secret.log && fail "the store has the lines of the server: $(cat secret.log)"

# The rate of the input is limited as always; a slow store slows the run, and takes no memory.
keep throttled fail=part:1:100:slow
works "$SLUICE" -v -M64M -T1 --upload-part=5M plain -o s3://bucket/x.zst
says '(-M allows 64.0 MiB)'
awk -v most="$(allowed)" 'BEGIN { exit !(most <= 64) }' || fail "-M64M allows $(allowed) MiB"
fails "$SLUICE" -q -M32M --upload-part=64M plain -o s3://bucket/y.zst
says 'need more memory than -M leaves'
fails "$SLUICE" -q -M16M plain -o s3://bucket/y.zst
says 'need more memory than -M leaves'
works "$SLUICE" -q -1 -T1 -M48M plain -o s3://bucket/y.zst
# Of an input whose size is not known a run says at its start how much fits.
works "$SLUICE" -1 -T1 -M64M -o s3://bucket/z.zst <plain
cat plain | works "$SLUICE" -1 -T1 -M64M -fo s3://bucket/z.zst
says 's3://bucket/z.zst: can have 75'
