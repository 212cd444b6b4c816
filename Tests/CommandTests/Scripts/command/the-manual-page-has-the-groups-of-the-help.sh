"$SLUICE" --help >help
# What the parser makes, of some options.
printf '%s\n' .Nm '.Bl -tag -width 6n' '.It Ar file...' 'Files.' '.It Fl z , -compress' 'Compress.' '.It Fl d , -decompress' \
    'Back.' '.It Fl -level Ar level' 'Level.' '.It Fl -read Ar who' 'Who.' '.It Fl -version' 'Version.' .El >page
awk -f "$ROOT/docs/manual.awk" help page >grouped
grep -E '^\.(Ss|It Fl)' grouped >lines
cat >wanted <<'END'
.Ss What to do
.It Fl z , -compress
.It Fl d , -decompress
.Ss How to compress
.It Fl -level Ar level
.Ss Advanced
.It Fl -read Ar who
.Ss Other
.It Fl -version
END
same lines wanted
# Nothing but titles is new, and each list that begins ends.
grep -v '^\.Ss' grouped | awk '/^\.Bl/ { if (open++) exit 1 } /^\.El/ { if (!open--) exit 1 } END { exit open != 0 }'
[ "$(grep -cvE '^\.(Ss|El|Bl)' grouped)" = "$(grep -cvE '^\.(Ss|El|Bl)' page)" ]
