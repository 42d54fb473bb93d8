#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The manual pages: one for the command and one for each subcommand, which mandoc, where it is
# installed, finds nothing wrong with.
#
# shellcheck disable=SC2086 # commands may have two words

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

lint() {
    if command -v mandoc >/dev/null; then mandoc -T lint -W warning "$@"; fi
}

check_pages() {
    local all command option
    mapfile -t all < <(commands)
    for command in "${all[@]}"; do
        workloom help --man $command >"workloom-${command// /-}.1"
        lint "workloom-${command// /-}.1"
        # What --help tells of options is in the page too.
        for option in $(options_of $command); do
            sed 's/\\-/-/g' "workloom-${command// /-}.1" | grep -q -e "^.It.*--$option" ||
                echo "workloom-${command// /-}.1 lacks --$option"
        done
    done
}

# params_of KIND NAME: the parameters of a plug-in. A model and a predictor of one name share their help:
# the predictor comes second.
params_of() {
    workloom help "$2" | awk -v predictor="$([ "$1" = predictors ] && echo 1)" '
        / \(predictor of runtimes\)/ { second = 1 } (second == 1) == (predictor == 1)' |
        sed -n '/^Parameters/,$s/^  \([a-z0-9-]*=[A-Z]*\)\( .*\)*$/\1/p'
}

# The pages of plug-ins name all of a kind, with their parameters.
check_topic() {
    local name setting
    workloom help --man "$1" >"workloom-$1.7"
    lint "workloom-$1.7"
    for name in $(workloom list "$1" --json | sed -n 's/^ *"name": "\(.*\)",$/\1/p'); do
        grep -qx "\.Ss $name" "workloom-$1.7" || echo "workloom-$1.7 lacks $name"
        for setting in $(params_of "$1" "$name"); do
            sed -n "/^.Ss $name\$/,/^.S[sh]/p" "workloom-$1.7" | grep -Fqx ".It ${setting//-/\\-}" ||
                echo "workloom-$1.7 lacks $setting of $name"
        done
    done
}

# Every page of the overview has a manual page, which the build installs.
check_page_list() {
    local page
    for page in $(workloom help | sed -n '/^Pages/,/^$/s/[,.]//gp' | grep '^  '); do
        workloom help --man "$page" >"workloom-$page.7"
        lint "workloom-$page.7"
        grep -q "^.Dt WORKLOOM-${page^^} 7" "workloom-$page.7" || echo "no manual page $page"
        grep -q "'$page'" "$CLI_TESTS/../../meson.build" || echo "workloom-$page.7 is not installed"
        if command -v man >/dev/null; then
            { MANWIDTH=80 man --warnings -l "workloom-$page.7" >/dev/null; } 2>&1
        fi
    done
}

session <<'END'
workloom help --man >workloom.1
lint workloom.1
grep -c '^.It Xr workloom-' workloom.1 | cmp - <(workloom list commands --json | grep -c '"name"')
check_pages
sed -n '/^.Sh/p' workloom-clean.1
workloom help --man info | sed -n '/^.Sh NAME/,/^.Sh OPTIONS/p'
check_topic models
check_topic schedulers
check_topic behaviours
check_topic platforms
check_topic predictors
check_topic formats
check_page_list
workloom help --man schedulers | sed -n '/^.Ss easy$/,/^.Ss/p'
workloom help --man simulate | sed -n '/^.Sh OPTIONS/,/^.Sh EXIT/p' | grep -E '^.(Sh|Ss|Bl|El)'
workloom help models | sed -n '/^poisson/,/^$/p'
workloom help --man no-such-thing
END
