# Small files wait for the disk together, and without a name: each is open until it has one.
mkdir in
for n in {1..500}; do echo "content $n" >in/$n; done
for limit in 64 300 1024; do
    cp -r in out
    (ulimit -n $limit; exec "$SLUICE" -q --rm out/*)
    [ "$(find out -type f | wc -l)" = 500 ]
    zstd -dq --rm out/*
    diff -r in out
    rm -r out
done
# Not all of what may be open is ours.
cp -r in out
(
    ulimit -n 400
    for n in {1..300}; do exec {descriptor}<"in/$n"; done
    exec "$SLUICE" -q --rm out/*
)
[ "$(find out -name '*.zst' | wc -l)" = 500 ]
