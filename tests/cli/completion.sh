#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The completion script for bash: commands, options, values of options and names of plug-ins; files
# where bash is left to itself. try WORD...: what the last word may become.
#
# shellcheck disable=SC2086 # commands may have two words

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

workloom help --completion bash >workloom.bash
# shellcheck disable=SC1091
. ./workloom.bash
mkdir figures
touch log.swf loads.txt

try() {
    COMP_WORDS=(workloom "$@")
    COMP_CWORD=$#
    _workloom
    echo "${COMPREPLY[*]}"
}

# Every option of every command is completed, and every value of a choice is taken.
check_options() {
    local all command option value
    mapfile -t all < <(commands)
    for command in "${all[@]}"; do
        for option in $(options_of $command); do
            case " $(try $command "--$option") " in
            *" --$option "*) ;;
            *) echo "$command: --$option is not completed" ;;
            esac
        done
    done
    for option in select overrun compat load-by by format gantt-by; do
        for value in $(try simulate "--$option" ''); do
            workloom simulate log.swf "--$option" "$value" --no-such 2>&1 | grep -v "'--no-such'"
        done
    done
    true
}

session <<'END'
bash -n workloom.bash
try s
try ''
try --v
check_options
try simulate log.swf --loa
try simulate -s e
try simulate log.swf --scheduler = eas
try simulate --load-by ''
try simulate --feedback ''
try simulate --platform ''
try compare log.swf --models minh2010,lub
try generate m.json --without bur
try validate x --policy con
try analyze log.swf --fit int
try convert --from s
try resample --favour h
try fit lublin
try generate uni
try generate lo
try list o
try help sim
try help --completion ''
try analyze log.swf --figures fi
try simulate lo
try simulate -o lo
complete -p workloom
END
