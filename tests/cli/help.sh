#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Help: the overview, each command, and that all ways to ask for it give the same. More commands and
# options may come: the patterns ask for what must be there.
#
# shellcheck disable=SC2086 # commands may have two words

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

# Every command is in the overview, and its help is the same by every way to ask for it, fits on a
# terminal, and names only options that the command takes. No command is really run here: the last
# option does not exist.
check_help() {
    local all command option
    mapfile -t all < <(commands)
    for command in "${all[@]}"; do
        workloom help $command >help.txt || echo "no help for $command"
        workloom $command --help | cmp - help.txt
        workloom $command -h | cmp - help.txt
        workloom help | grep -q "^  $command " || echo "$command is not in the overview"
        sed 1d help.txt | awk -v command="$command" \
            '/^Examples/ { exit } length > 80 { print command ": too wide: " $0 }'
        awk -v command="$command" 'END { if (NR >= (command ~ / / ? 140 : 120)) print command ": " NR " lines" }' help.txt
        # Options come before examples, and both before notes; the help of an option is short.
        grep -n -e '^[A-Z][A-Za-z ]*:$' help.txt | grep -A 1 -e Notes -e 'Examples' | grep -v -e Notes -e Examples
        awk -v command="$command" '/^  -/ { lines = 0; option = $0 } !/^  / { option = "" } /^Examples/ { exit }
            option && ++lines == 4 { print command ": too long: " option }' help.txt
        for option in $(options_of $command); do
            workloom $command "--$option" x --no-such 2>&1 | grep "has no option '--$option'"
        done
    done
    workloom help | awk 'length > 80 { print "too wide: " $0 }'
}

# What is wrong with the command lines in the examples, up to an option that does not exist.
check_examples() {
    local all command line
    mapfile -t all < <(commands)
    for command in "${all[@]}"; do
        workloom help $command | sed -e ':join' -e '/ \\$/ { N; s/ \\\n */ /; b join' -e '}' |
            sed -n '/^Examples/,$s/^  workloom/workloom/p'
    done | while read -r line; do
        case $line in *'|'*) continue ;; esac
        (eval "$line --no-such") 2>&1 </dev/null | grep -v "has no option '--no-such'"
    done
    true
}

# The headings of a command's options, each with the options below it in the order of the help.
groups() {
    workloom help "$1" | sed -n '/^Examples/q; s/^  \(-[a-z], \)*--\([a-z-]*\).*/ \2/p; /^[A-Z][a-z ]*:$/p' |
        tr -d '\n' | sed 's/\([a-z]\)\([A-Z]\)/\1\n\2/g'
    echo
}

session <<'END'
workloom --version
workloom -V
workloom --help
workloom -h | cmp - <(workloom help)
workloom | cmp - <(workloom help)
check_help
check_examples
workloom help info
workloom help convert
workloom help clean
workloom help list
workloom help help
workloom help simulate | grep '^[A-Z].*:$'
workloom help simulate | grep -A 2 '^Grid:'
workloom help simulate --all | grep -A 2 '^Grid:'
workloom help --all
workloom help json --all
groups generate
groups compare
groups fit
groups convert
groups resample
groups analyze
groups clean
END
