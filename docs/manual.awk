# Puts the groups of the help into the manual page that is made from the options: scripts/install gives it the text of
# --help, and the page, in which each group begins with the option that begins it there.
NR == FNR && /^[A-Z ]+:$/ {
    title = $0 == "OPTIONS:" ? "Other" : substr($0, 1, 1) tolower(substr($0, 2, length($0) - 2))
}
NR == FNR && title && match($0, /--[a-z-]+/) {
    titles[substr($0, RSTART + 1, RLENGTH - 1)] = title
    title = ""
}
NR == FNR { next }
/^\.It Fl / && match($0, / -[a-z-]+/) {
    name = substr($0, RSTART + 1, RLENGTH - 1)
    if (name in titles) print ".El\n.Ss " titles[name] "\n.Bl -tag -width 6n"
    delete titles[name]
}
{ print }
