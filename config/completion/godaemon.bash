# Completion of godaemon's subcommands and options for bash; `godaemon install-units` puts it in place.
_godaemon() {
    mapfile -t COMPREPLY < <("$1" complete "${COMP_WORDS[@]:1:COMP_CWORD}" | cut -f 1)
}
complete -o default -F _godaemon godaemon
