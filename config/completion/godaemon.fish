# Completion of godaemon's subcommands and options for fish; `godaemon install-units` puts it in place.
function __godaemon_completes
    _GODAEMON_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=$argv[1] _TYPER_COMPLETE_ARGS=(commandline -cp) godaemon
end
complete --command godaemon --no-files --condition '__godaemon_completes is-args' --arguments '(__godaemon_completes get-args)'
