needs python3
source "$SCRIPTS/remote/server.bash"
mkdir -p site/a site/b site/c http:
for name in a b c; do echo "content of $name" >site/$name/file; done
"$SLUICE" -q site/c/file -o site/c/file.zst
serve site
# Each takes the name, or says that another has it.
for words in -f -fv '-f --no-sync'; do
    exits 1 "$SLUICE" -q $words "$url/a/file" "$url/b/file" "$url/c/file"
    says 'file.zst: was made from another file by this run: not replaced'
    [ "$(zstd -dcq file.zst)" = 'content of a' ]
    # The same one twice is one.
    works "$SLUICE" -q $words "$url/b/file" "$url/b/file"
    [ "$(zstd -dcq file.zst)" = 'content of b' ]
done
# A file of the spelling of a URL is a file.
mkdir -p "${url/:\/\//:/}/a"
echo local >"${url/:\/\//:/}/a/file"
works "$SLUICE" -qc "${url/:\/\//:/}/a/file" "$url/a/file" >both.zst
[ "$(zstd -dcq both.zst)" = $'local\ncontent of a' ]
works "$SLUICE" -qrc http: "$url/a/file" >both.zst
[ "$(zstd -dcq both.zst)" = $'local\ncontent of a' ]
