# Completion of godaemon's subcommands and options for fish; `godaemon install-units` puts it in place.
function __godaemon_completes
    set --local last (commandline -ct)
    godaemon complete (commandline -opc)[2..] "$last"
end
complete --command godaemon --no-files --condition '__godaemon_completes | read' --arguments '(__godaemon_completes)'
