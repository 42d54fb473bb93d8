#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The manual pages: one for the command and one for each subcommand, which mandoc, where it is
# installed, finds nothing wrong with.

# shellcheck disable=SC1091
. "$CLI_TESTS/session.inc"

lint() {
    if command -v mandoc >/dev/null; then mandoc -T lint -W warning "$@"; fi
}

check_pages() {
    local command option
    for command in $(commands); do
        workloom help --man "$command" >"workloom-$command.1"
        lint "workloom-$command.1"
        # What --help tells of options is in the page too.
        for option in $(options_of "$command"); do
            sed 's/\\-/-/g' "workloom-$command.1" | grep -q -e "^.It.*--$option" ||
                echo "workloom-$command.1 lacks --$option"
        done
    done
}

session <<'END'
workloom help --man >workloom.1
lint workloom.1
grep -c '^.It Xr workloom-' workloom.1 | cmp - <(workloom list commands --json | grep -c '"name"')
check_pages
sed -n '/^.Sh/p' workloom-clean.1
workloom help --man info | sed -n '/^.Sh NAME/,/^.Sh OPTIONS/p'
workloom help --man no-such-thing
END
