mkdir odd
cd odd
for name in -x -- '*' 'a*' ab '[1].txt' 1.txt 'back\slash' '?' ' ' '#'; do printf '%s' "$name" >"./$name"; done
tar -cf ../odd.tar -- *
cd ..
works "$SLUICE" -q --members odd.tar
# gives NAME WORD: what --member=WORD writes is what is in the file NAME.
gives() {
    works "$SLUICE" -d --member="$2" odd.tar.zst >got
    same got "odd/$1"
}
for name in -x -- 'back\slash' ' ' '#' ab 1.txt; do gives "$name" "$name"; done
gives '*' '\*'
gives 'a*' 'a\*'
gives '[1].txt' '\[1\].txt'
gives '?' '\?'
gives 'back\slash' 'back\\slash'
works "$SLUICE" -d --member='a*' odd.tar.zst | tar -tf - >listed
printf 'a*\nab\n' | cmp - listed
works "$SLUICE" -d --member='[1].txt' --member=-x odd.tar.zst | tar -tf - >listed
[ "$(wc -l <listed)" = 3 ] || fail "$(cat listed)"
# A character is one for ?, and what is no character is a byte.
printf ue >odd/ü
printf byte >"odd/$(printf 'q\377r')"
(cd odd && tar -cf ../more.tar ü q*)
works "$SLUICE" -q --members more.tar
works "$SLUICE" -d --member='?' more.tar.zst >got
same got odd/ü
works "$SLUICE" -d --member='q*' more.tar.zst >got
[ "$(cat got)" = byte ] || fail "$(cat got)"
