corpus random 12M >a
# A fast producer, a slow consumer.
"$SLUICE" --copy --buffer=8M --progress=json <a 2>lines | (sleep 1.7; cat) | cmp - a
grep -oE '"bufferFill":[0-9.]+' lines | cut -d: -f2 | sort -n | tail -n 1 | awk '{ exit !($1 > 0.9 && $1 <= 1) }' || fail "$(cat lines)"
# Without a buffer there is nothing to say.
"$SLUICE" --copy --progress=json <a 2>lines >/dev/null
if grep -q bufferFill lines; then fail 'no buffer, yet a fill'; fi
# It is bounded: the producer waits when the buffer is full.
(cat a; now >read) | "$SLUICE" --copy --buffer=4M | (sleep 0.7; now >began; cat >/dev/null)
awk -v read="$(cat read)" -v began="$(cat began)" 'BEGIN { exit !(read > began) }' || fail 'more was read than fits'
for wrong in -1 x 1.5M ''; do fails "$SLUICE" --copy --buffer=$wrong a -o b; done
absent b
