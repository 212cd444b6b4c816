# Each refusal says why.
echo a >a
fails "$SLUICE" --parity --append a -o b.zst
says '--parity and --append'
fails "$SLUICE" --parity --part=1/2 a
says '--parity and --part'
fails "$SLUICE" --parity --flush-interval=1 a -o b.zst
says '--parity and --flush-interval'
fails "$SLUICE" -t --parity --against=a a
says '--parity and --against'
fails "$SLUICE" -d --parity a
says '--parity only works with'
fails "$SLUICE" -t --parity=10% a
says '-t --parity takes no share'
for share in 0 51 x 5%% -1; do
    fails "$SLUICE" --parity=$share a
    says 'a share from 1% to 50%'
done
fails "$SLUICE" -q --parity a a -o b.zst
says 'parity'
absent b.zst a.zst
