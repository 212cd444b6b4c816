corpus text 300K >a
corpus text 30K >b
corpus random 20K >dict
for words in '' -1 --fast=3 -5 -12 -19 '--ultra -22' '-3 -D dict'; do
    for name in a b; do
        # shellcheck disable=SC2086
        zstd --show-default-cparams $words -q -c $name 2>wanted >/dev/null
        # shellcheck disable=SC2086
        works "$SLUICE" --show-default-cparams $words -q -c $name >/dev/null
        same "$messages" wanted
    done
done
zstd --show-default-cparams -q -c <a 2>wanted >/dev/null
works "$SLUICE" --show-default-cparams -q <a >/dev/null
same "$messages" wanted
zstd --show-default-cparams -qf a b 2>wanted
works "$SLUICE" --show-default-cparams -qf a b
same "$messages" wanted
fails "$SLUICE" --show-default-cparams -d a.zst
