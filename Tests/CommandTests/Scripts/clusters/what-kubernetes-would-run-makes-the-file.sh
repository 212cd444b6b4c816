# No cluster is here: the words of the containers run, with what an indexed Job sets.
jobs=$ROOT/Examples/clusters
mkdir data bin
ln -s "$SLUICE" bin/sluice
export PATH=$PWD/bin:$PATH
# words FILE: those of the container, with /data in this folder.
words() {
    "$(command -v python3)" -c '
import json, re, sys
text = open(sys.argv[1]).read()
command, = re.findall(r"^ *command: (\[.*\])$", text, re.M)
for word in json.loads(command):
    print(word.replace("/data/", "data/"))' "$1"
}
corpus text 9M >data/big.tar
mapfile -t compress < <(env -u BASH_ENV bash -c "$(declare -f words); words $jobs/kubernetes.yaml")
mapfile -t join < <(env -u BASH_ENV bash -c "$(declare -f words); words $jobs/kubernetes-join.yaml")
[ "${compress[0]}" = sluice ]
completions=$(sed -n 's/^ *completions: //p' "$jobs/kubernetes.yaml")
"$SLUICE" -q data/big.tar -o one.zst
for ((index = 0; index < completions; index++)); do
    works env JOB_COMPLETION_INDEX=$index "${compress[@]}"
    says "part $((index + 1)) of $completions (JOB_COMPLETION_INDEX=$index)"
done
works "${join[@]}"
same data/big.tar.zst one.zst
[ "$(ls data)" = "big.tar
big.tar.zst" ]
