for mask in 022 077 002 027; do
    (umask $mask; echo data | "$SLUICE" -q -o out-$mask; touch plain-$mask)
    [ "$(stat -c %a out-$mask)" = "$(stat -c %a plain-$mask)" ]
    (umask $mask; "$SLUICE" -qd <out-$mask -o back-$mask)
    [ "$(stat -c %a back-$mask)" = "$(stat -c %a plain-$mask)" ]
done
