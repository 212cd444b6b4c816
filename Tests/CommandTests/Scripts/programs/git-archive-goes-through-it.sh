source "$SCRIPTS/programs/names.bash"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q repository
cd repository
mkdir deep
corpus text 3M >text
corpus random 2M >deep/random
git add .
git -c user.name=a -c user.email=a@b commit -qm one
git archive --prefix=x/ HEAD | "$SLUICE" -q -B1M >../piped.tar.zst
# As git's documentation has it for other formats: the suffix chooses the command.
git config tar.tar.zst.command 'zstd -c'
git archive --prefix=x/ -o ../chosen.tar.zst HEAD
git archive --prefix=x/ HEAD >../plain.tar
cd ..
"$real" -dc piped.tar.zst | cmp - plain.tar
"$real" -dc chosen.tar.zst | cmp - plain.tar
mkdir out
"$SLUICE" -dc chosen.tar.zst | tar -xf - -C out
same out/x/deep/random repository/deep/random
