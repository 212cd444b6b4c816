corpus text 100K >a
works "$SLUICE" -dcf a >b
same a b
works "$SLUICE" -dcf <a >b
same a b
fails "$SLUICE" -dc a >b
[ ! -s b ]
