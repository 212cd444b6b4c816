# A run without an S3 URL looks for no key: it opens none of the files of AWS's tools, starts no process, and takes as many
# instructions as where nothing of that is there.
needs strace strip valgrind
corpus random 100K >plain
works "$SLUICE" -q plain -o a.zst
unset AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_EC2_METADATA_DISABLED
mkdir -p home/.aws
printf '[default]\ncredential_process = /bin/false\naws_access_key_id = x\n' >home/.aws/config
# What takes a million instructions to read.
seq -f 'name%g = value' 100000 | sed '1i [other]' >home/.aws/credentials
touch home/.aws/token
set_=(AWS_PROFILE=default AWS_WEB_IDENTITY_TOKEN_FILE="$PWD/home/.aws/token" AWS_ROLE_ARN=arn:role AWS_ACCESS_KEY_ID=x)
# As long, but for nobody.
unset_=(AWX_PROFILE=default AWX_WEB_IDENTITY_TOKEN_FILE="$PWD/home/.aws/token" AWX_ROLE_ARN=arn:role AWX_ACCESS_KEY_ID=x)
env HOME="$PWD/home" "${set_[@]}" strace -f -qq -o trace "$SLUICE" -dcq a.zst >got
same got plain
if grep -E '\.aws|libcurl|\b(v?fork|execve)\(' trace | sed 1d | grep . >&9; then fail "it looked for a key"; fi
# Without names, which valgrind may not be able to read.
strip -o sluice "$SLUICE"
instructions() { # VARIABLES...
    env HOME="$PWD/home" "$@" valgrind --tool=callgrind --callgrind-out-file=calls ./sluice -dcq a.zst 2>&1 >got |
        sed -n 's/.*Collected : //p'
}
with=$(instructions "${set_[@]}")
without=$(instructions "${unset_[@]}")
# Threads end in another order each time.
awk -v with="$with" -v without="$without" 'BEGIN { exit !(without > 1e5 && with < without * 1.01) }' ||
    fail "$with instructions instead of $without"
echo "$with instructions, and $without without variables of AWS's tools"
