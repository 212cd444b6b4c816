# Slow: where there are too few threads, it waits for some.
# However few threads a user may have: a run ends in time, with the right output or a sentence, and what can be done with
# one worker is done whatever -T says. libdispatch gets a thread from those that there is more than one of.
needs python3
corpus text 9M >data
corpus text 300K >small1
cp small1 small2
zstd -q1 data -o data.zst
zstd -q1 --long=27 data -o one.zst
chmod 644 -- *
cat >limits.py <<'END'
import os, resource, subprocess, sys, tempfile, threading
sluice = sys.argv[1]
runs = ["-B256K data -o {}/out", "-d data.zst -o {}/out", "-B256K -vv --progress=json --interval=0.05 --stats -c data"]
limits = [1, 7, 9, 10, 11, 13, 16]
if os.environ.get("SLUICE_TESTS") == "long":
    runs += ["-dc one.zst", "-3 --single-frame -B1M data -o {}/out", "--output-dir-flat {} small1 small2 data"]
    limits = list(range(1, 25))
flaws, turn, users = [], threading.Semaphore(12), iter(range(61000, 65000))
def attempt(words, threads, limit, user):
    """The outcome of a run of a user who has nothing else: its output, and None if it was refused in a sentence."""
    out = tempfile.mkdtemp(dir=".")
    os.chown(out, user, user)
    def become():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    words = [sluice, f"-T{threads}", "-f", *words.format(out).split()]
    with turn:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=become)
        try:
            output, messages = process.communicate(timeout=90)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return flaws.append(f"hangs with {limit}: {words}")
    made = {name: open(os.path.join(out, name), "rb").read() for name in sorted(os.listdir(out))}
    if process.returncode == 0:
        return output, made
    sentence = [line for line in messages.decode().splitlines() if line.startswith("sluice: ")]
    if process.returncode != 1 or not any("can't start a thread" in line for line in sentence):
        flaws.append(f"ends with {process.returncode} with {limit}: {words}: {messages.decode()}")
    if any(name.startswith(".") for name in made) or "out" in made:
        flaws.append(f"leaves {list(made)} with {limit}: {words}")
def law(words, user):
    wanted = attempt(words, 2, 1000, user)
    done = 0
    for limit in limits:
        outcomes = [None, None, None]
        def try_with(place, threads):
            outcomes[place] = attempt(words, threads, limit, user + place * 100)
        lanes = [threading.Thread(target=try_with, args=each) for each in enumerate((1, 2, 8))]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        one = outcomes[0] is not None
        done += one
        for threads, outcome in zip((1, 2, 8), outcomes):
            if one and outcome is None:
                flaws.append(f"one worker does with {limit}, and not -T{threads}: {words}")
            if outcome is not None and outcome != wanted and not (threads == 1 and "single" in words):
                flaws.append(f"other output with {limit}, -T{threads}: {words}")
    if done < 3 or flaws:
        flaws.append(f"{done} limits were enough: {words}")
workers = [threading.Thread(target=law, args=(words, next(users))) for words in runs]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
sys.exit("\n".join(flaws) or 0)
END
python3 limits.py "$SLUICE" >&9 2>"$messages" || fail "$(head -c 2000 "$messages")"
