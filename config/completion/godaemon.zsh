#compdef godaemon
# Completion of godaemon's subcommands and options for zsh; `godaemon install-units` puts it in place.
eval "$(_TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _GODAEMON_COMPLETE=complete_zsh $words[1])"
