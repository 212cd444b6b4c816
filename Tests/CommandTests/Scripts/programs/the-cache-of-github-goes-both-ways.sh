# What actions/cache calls on Linux (packages/cache/src/internal/tar.ts), with a list of files and absolute names.
source "$SCRIPTS/programs/names.bash"
mkdir -p work/node_modules/a home
corpus text 5M >work/node_modules/a/text
corpus random 2M >home/cached
printf '%s\n' node_modules "$PWD/home/cached" >manifest.txt
tar --posix -cf cache.tzst --exclude cache.tzst -P -C "$PWD/work" --files-from manifest.txt --use-compress-program 'zstdmt --long=30'
"$real" -t -q --long=30 cache.tzst
tar -tf cache.tzst -P --use-compress-program 'unzstd --long=30' >list
grep -qx 'node_modules/a/text' list
cp -a work/node_modules kept
cp home/cached kept.cached
rm -r work/node_modules home/cached
tar -xf cache.tzst -P -C "$PWD/work" --use-compress-program 'unzstd --long=30'
diff -r kept work/node_modules
same kept.cached home/cached
# Written by one and read by the other.
rm -r work/node_modules
tar -xf cache.tzst -P -C "$PWD/work" --use-compress-program "$real -d --long=30"
diff -r kept work/node_modules
tar --posix -cf cache.tzst -P -C "$PWD/work" --files-from manifest.txt --use-compress-program "$real -T0 --long=30"
rm -r work/node_modules
tar -xf cache.tzst -P -C "$PWD/work" --use-compress-program 'unzstd --long=30'
diff -r kept work/node_modules
