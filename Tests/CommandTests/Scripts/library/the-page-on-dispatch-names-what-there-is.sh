# docs/dispatch.md lists each queue by its label, and the files that have semaphores, groups and sources.
page=$ROOT/docs/dispatch.md
grep -rhoE 'label: "sluice\.[a-z.-]+"' "$ROOT/Sources" | grep -oE 'sluice\.[a-z.-]+' | sort >there
sed -n '/^## What is used/,/^## /p' "$page" | grep -oE '`sluice\.[a-z.-]+`' | tr -d '`' | sort >listed
[ "$(wc -l <there)" -ge 18 ]
same listed there
# lists ROW CALL: the row names the files with the call, and no other.
lists() {
    grep -rlE "$2" "$ROOT/Sources" --include='*.swift' | xargs -n 1 basename | sed 's/\.swift//; s/+.*//' | sort -u >there
    grep -E "^\| $1 \|" "$page" | cut -d '|' -f 3 | grep -oE '`[A-Z][A-Za-z]+' | tr -d '`' | sort -u >listed
    [ -s there ]
    same listed there
}
lists semaphore 'DispatchSemaphore\('
lists group 'DispatchGroup\('
lists 'read source' 'makeReadSource\('
lists 'timer source' 'makeTimerSource\('
lists 'signal source' 'makeSignalSource\('
lists 'DATA_ADD source, suspend and resume' 'makeUserDataAddSource\('
