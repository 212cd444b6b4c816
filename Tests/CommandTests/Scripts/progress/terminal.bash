# Terminals for these scripts: tmux, each with a server of its own, that end with the script.

command -v tmux >/dev/null || skip 'tmux is not installed'
trap 'for socket in "$PWD"/*.tmux; do tmux -S "$socket" kill-server 2>/dev/null || true; done' EXIT

# terminal NAME WIDTH HEIGHT COMMAND: runs a line of sh in a new terminal, which stays afterwards.
terminal() {
    tmux -u -S "$PWD/$1.tmux" -f /dev/null new-session -d -x "$2" -y "$3" sh -c "$4; echo END; exec sleep 100"
}

# screen NAME: what the terminal shows and has shown, without the blank lines at its end.
screen() { tmux -S "$PWD/$1.tmux" capture-pane -p -S -; }

shows() { { local -; set +x; }; screen "$1" | grep -aqE -- "$2"; }
shows_not() { { local -; set +x; }; if screen "$1" | grep -aqE -- "$2"; then return 1; fi; }
resize() { tmux -S "$PWD/$1.tmux" resize-window -x "$2" -y "$3"; }

# lines NAME: how many are not blank.
lines() { screen "$1" | grep -acE '[^ ]' || true; }
