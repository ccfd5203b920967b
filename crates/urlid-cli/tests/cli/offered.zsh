# Prints what zsh shows when Tab is pressed twice after the text $1, and what it makes of the line.
# The program is the first `urlid` of PATH.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; autoload -U compinit; compinit -u -D; source <(urlid completions zsh); LISTMAX=10000; stty columns 60; print REA""DY'
while zpty -r shell line; do [[ $line == *READY* ]] && break; done
zpty -w -n shell "$1"$'\t\t'
# The second Tab inserts the first name; what the shell prints ends soon after.
sleep 1
zpty -w -n shell $'\x15'
zpty -w shell 'print DO""NE'
while zpty -r shell line; do print -r -- "$line"; [[ $line == *DONE* ]] && break; done
zpty -d shell
