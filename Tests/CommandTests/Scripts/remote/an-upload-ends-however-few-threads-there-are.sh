# Slow: where there are too few threads, it waits for some.
# However few threads a user may have: an upload ends in time, with the whole object, or with a sentence and no part of it.
# shellcheck source=Tests/CommandTests/Scripts/remote/server.bash
. "$SCRIPTS/remote/server.bash"
needs python3
head -c 27M /dev/urandom >plain
chmod 644 plain
keep store
cat >limits.py <<'END'
import os, resource, subprocess, sys, threading
flaws = []
def attempt(limit, user):
    def become():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    words = [sys.argv[1], "-q1", "--upload-part=5M", "plain", "-o", f"s3://bucket/{limit}.zst"]
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=become)
    try:
        messages = process.communicate(timeout=90)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return flaws.append(f"hangs with {limit}")
    if process.returncode != 0 and "can't start a thread" not in messages:
        flaws.append(f"ends with {process.returncode} with {limit}: {messages}")
    if process.returncode == 0:
        print(limit, flush=True)
workers = [threading.Thread(target=attempt, args=(limit, 66000 + limit)) for limit in [9, 11, 12, 13, 14, 16, 18, 24]]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
sys.exit("\n".join(flaws) or 0)
END
python3 limits.py "$SLUICE" >made 2>"$messages" || fail "$(head -c 2000 "$messages")"
nothing uploads
[ -s made ] || fail "no limit was enough"
[ "$(stored objects | wc -l)" = "$(wc -l <made)" ] || fail "$(cat made): $(stored objects)"
while read -r limit; do
    works "$SLUICE" -qdc "s3://bucket/$limit.zst" >got
    same got plain
done <made
