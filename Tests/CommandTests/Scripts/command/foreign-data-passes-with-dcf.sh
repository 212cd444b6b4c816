corpus text 100K >a
works "$SLUICE" -dcf a >b
same a b
works "$SLUICE" -dcf <a >b
same a b
fails "$SLUICE" -dc a >b
[ ! -s b ]
# Unless it was said otherwise.
fails "$SLUICE" -dcf --no-pass-through a >b
[ ! -s b ]
works "$SLUICE" -d --pass-through a -o c
same a c
