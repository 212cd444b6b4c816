# Who is told a vulnerability, who decides, what is stable and what nobody has tried is written down; links lead to files
# and headings that are there; workflows call only actions that are pinned by their commits; docs/stability.md and the
# manual page have the same exit codes, among them all that the code has.
pages=(SECURITY.md MAINTAINERS.md CODE_OF_CONDUCT.md CONTRIBUTING.md docs/stability.md docs/untried.md)
for page in "${pages[@]}" .spi.yml .github/dependabot.yml; do [ -s "$ROOT/$page" ] || fail "there is no $page"; done

# The names of a page's headings, as links spell them.
headings() { grep -E '^#+ ' "$1" | sed -E 's/^#+ //' | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n_-'; }
for page in "${pages[@]}" README.md; do
    grep -oE '\]\([^)]+\)' "$ROOT/$page" | sed -E 's/^\]\(//; s/\)$//' | grep -v '^https://' >links || true
    while IFS='#' read -r file heading; do
        file=${file:-$(basename "$page")}
        file=$ROOT/$(dirname "$page")/$file
        [ -e "$file" ] || fail "$page has a link to $file, which is not there"
        [ -z "$heading" ] || headings "$file" | grep -qxF -- "$heading" || fail "$page has a link to #$heading of $file"
    done <links
done
# What users rely on, they find from the first page.
grep -qF '(docs/stability.md)' "$ROOT/README.md"

# Pinned, with the version beside it, and one version of each action.
grep -rhE '^[^#]*\buses:' "$ROOT/.github" --include='*.yml' --include='*.yaml' | sed -E 's/^[ -]*uses: *//' >actions
[ -s actions ]
if grep -vE '^[A-Za-z0-9._/-]+@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+$' actions >&9; then fail "an action is not pinned"; fi
[ "$(sort -u actions | wc -l)" = "$(sed 's/@.*//' actions | sort -u | wc -l)" ] || fail "an action is pinned twice"
# The interface is compared where each change is.
grep -qxE ' *- run: scripts/public-interface' "$ROOT/.github/workflows/ci.yml"

# The codes stand between backquotes in their row; 128 + n is that of a signal.
# shellcheck disable=SC2016 # backquotes of Markdown
grep -E '^\| Exit codes \|' "$ROOT/docs/stability.md" | grep -oE '`[0-9]+( \+ n)?`' | tr -d '`' | sort >stable
sed -n '/^\.Sh EXIT STATUS/,/^\.Sh ENV/s/^\.It \([0-9].*\)/\1/p' "$ROOT/docs/manual.mdoc" >manual
[ "$(wc -l <manual)" -ge 3 ]
sort manual >told
same told stable
# An end by a number, a complaint's number, and functions that choose between two.
{
    grep -rhoE '_exit\((128 \+ number|[0-9]+)\)|exitCode: Int32 = [0-9]+|return .* \? [0-9]+ : [0-9]+$' "$ROOT/Sources/SluiceCommand"
    grep -rhA 1 'func exitCode(' "$ROOT/Sources/SluiceCommand"
} | sed -E 's/128 \+ number/128 + n/; s/Int32//g' | grep -oE '\b[0-9]+( \+ n)?' | sort -u >code
same code stable

# And the command ends with them.
ln -s "$SLUICE" zstd
echo sample >sample
works "$SLUICE" -q sample
exits 1 "$SLUICE" -q sample
exits 14 ./zstd -q --train sample -o dictionary
spawn status "$SLUICE" --from-command -o out -- sleep 60 &
temporary >/dev/null
kill -INT "$(pid status)"
ended status SIGINT
