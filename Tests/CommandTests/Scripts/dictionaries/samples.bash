# Lines that are much alike, in 400 files of `samples`, and a dictionary of them.
mkdir samples
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "{\"id\": %d, \"name\": \"user%d\", \"mail\": \"u%d@example.org\"}\n",
    i, i * 7919 % 1000, i * 104729 % 1000 }' >records
split -a 3 -l 10 records samples/
zstd -q --train samples/* --maxdict=4K -o dict
