# The same bytes, messages, codes and metadata: a limit of the rate, which is never reached, has it go the long way.
needs python3
corpus text 50K >plain
corpus zeros 200K >holes
"$SLUICE" -q -c plain >good.zst
cat good.zst good.zst >two.zst
{ cat good.zst good.zst && echo damaged; } >tail.zst
{ head -c 3000 good.zst; printf x; tail -c +3002 good.zst; } >bad.zst
{ cat good.zst && head -c 3000 good.zst; } >cut.zst
"$SLUICE" -q -c -D "$FIXTURES/dictionary.raw" plain >dictionary.zst
gzip -c plain >packed.gz
: >empty
printf 'neither\n' >foreign.zst
mkdir folder
chmod 640 plain
touch -d '2001-02-03 04:05:06.789' plain

# Each line is tried in a folder of its own, from the same files: from nothing, from a pipe that has ended, and from the
# middle of a file.
{
    printf '%s\n' plain '-c plain' '-o out plain' '-f -o plain.zst plain' '-o nowhere/out plain' '-o folder plain' '--rm plain' \
        '-c --rm plain' '--no-sync plain' '--rm --no-sync plain' '-o good.zst plain' '-f -o good.zst plain' '-o /dev/full plain' \
        '-M40M plain' '-M1M plain' '--hash plain' '--hash -c plain' '--verify plain' '--verify=file plain' '-19 --no-check plain' \
        '-B64K plain' '-B16K plain' '--rsyncable plain' '-D missing plain' "-D $FIXTURES/dictionary.raw plain" 'missing' 'folder' \
        'empty' '-c empty' '--output-dir-flat=folder plain' 'plain holes' '-c plain holes' 'plain missing holes' \
        '-d good.zst' '-d -c good.zst' '-d -c two.zst' '-d two.zst' '-d -c tail.zst' '-d tail.zst' '-d -c bad.zst' '-d bad.zst' \
        '-d --rm bad.zst' '-d -f --rm -o out good.zst' '-d -c cut.zst' '-d -o out cut.zst' '-t good.zst' '-t bad.zst' '-t cut.zst' \
        '-t two.zst tail.zst' '-d -c dictionary.zst' "-d -c -D $FIXTURES/dictionary.raw dictionary.zst" '-d -c packed.gz' \
        '-t packed.gz' '-d -c foreign.zst' '-d -c -f foreign.zst' '-d plain' '-d -M16M -c good.zst' '-d --no-check -c bad.zst' \
        '-d --hash -c good.zst' '-d -o /dev/full good.zst' '--recover -c bad.zst' '-d --sparse -o out two.zst' \
        "-d -c $FIXTURES/zeros-70MB.zst" "-d -c $FIXTURES/window-128MiB.zst" "-d -c $FIXTURES/window-2GiB.zst" \
        "-d -c $FIXTURES/skippable-frames-around.zst" "-d -c $FIXTURES/empty-file.zst" "-d -c $FIXTURES/empty-content.zst"
    for input in plain empty good.zst two.zst tail.zst bad.zst cut.zst packed.gz foreign.zst; do
        for words in '' '-o out' '-d' '-d -o out' '-t' '--stream-size=7' '--hash'; do
            printf '%s\n' "$words |$input" "$words <$input"
        done
    done
} >"$LOGS/lines"
env -u BASH_ENV python3 - "$LOGS" <<'END'
import os, shutil, subprocess, sys

logs, sluice = sys.argv[1], os.environ["SLUICE"]


def started(folder, mark, name):
    """Standard input of a run: nothing, a pipe that has ended, or a file behind its first bytes."""
    if not mark:
        return os.open(os.devnull, os.O_RDONLY)
    file = os.open(f"{folder}/{name}", os.O_RDONLY)
    if mark == "<":
        os.lseek(file, 5, os.SEEK_SET)
        return file
    end, pipe = os.pipe()
    os.write(pipe, os.read(file, 65536))
    os.close(pipe)
    os.close(file)
    return end


def left(folder):
    """All that is there: what it is, and its content."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            about = os.lstat(path)
            with open(path, "rb") as file:
                content = file.read()
            # Of a file that was made just now the time differs.
            time = about.st_mtime if about.st_mtime < 1e9 else None
            found[os.path.relpath(path, folder)] = about.st_mode, about.st_blocks, time, content
    return found


def run(folder, words, mark, name):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(".", folder)
    file = started(folder, mark, name)
    done = subprocess.run([sluice, "-q", *words], cwd=folder, stdin=file, capture_output=True, check=False)
    os.close(file)
    return done.returncode, done.stdout, done.stderr, left(folder)


with open(f"{logs}/lines") as lines:
    for line in lines:
        mark = next((mark for mark in "|<" if mark in line), "")
        words, _, name = line.strip("\n").partition(mark) if mark else (line, "", "")
        short = run(f"{logs}/short", words.split(), mark, name)
        long = run(f"{logs}/long", [*words.split(), "--limit-rate=1T"], mark, name)
        for what, one, other in zip(("exit codes", "outputs", "messages", "files"), short, long):
            assert one == other, f"other {what}: {line}\n{one}\n{other}"
END
