#compdef godaemon
# Completion of godaemon's subcommands and options for zsh; `godaemon install-units` puts it in place.
local -a found
found=(${(f)"$($words[1] complete ${words[2,$CURRENT]} | tr '\t' ':')"})
(( $#found )) && _describe godaemon found || _files
