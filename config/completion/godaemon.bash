# Completion of godaemon's subcommands and options for bash; `godaemon install-units` puts it in place.
_godaemon() {
    mapfile -t COMPREPLY < <(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD _GODAEMON_COMPLETE=complete_bash "$1")
}
complete -o default -F _godaemon godaemon
