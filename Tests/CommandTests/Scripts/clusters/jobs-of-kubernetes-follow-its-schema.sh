# Long: it needs a validator from PyPI.
needs kubernetes-validate
for file in "$ROOT"/Examples/clusters/*.yaml; do
    works env -u BASH_ENV kubernetes-validate --strict "$file"
    # It would tell.
    sed 's/^    spec:/    specs:/' "$file" >wrong.yaml
    refuses env -u BASH_ENV kubernetes-validate --strict wrong.yaml
done
