/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What Zakay's thesis says about figures 3 to 8 of its chapter 6, statement by statement, each with
 * the verdict that our numbers give. A statement whose verdict changes fails. With --markdown the
 * program prints the table of docs/validation/queueing.md.
 */
#include "support.h"

#include "reproduce/queueing_statements.h"

#include <stdio.h>
#include <string.h>

static const char *const differing[] = {"think-time-user", "moderate-user-drop-in-figures",
                                        "shmueli-user-starts-higher", "shmueli-bias-stronger"};

static bool should_hold(const char *name)
{
    for (size_t i = 0; i < COUNT(differing); i++)
        if (strcmp(differing[i], name) == 0)
            return false;
    return true;
}

static void test_statements(void **state)
{
    size_t wrong = 0, n = 0, differ = 0;
    (void)state;
    for (const struct loom_queueing_statement *at; (at = loom_queueing_statement_at(n)); n++) {
        char measured[LOOM_STATEMENT_TEXT];
        bool holds = false;
        assert_int_equal(loom_queueing_statement_check(&holds, measured, n, NULL), 0);
        differ += !holds;
        if (holds != should_hold(at->name)) {
            print_error("%s: %s: %s (%s)\n", at->place, at->text, holds ? "holds" : "differs",
                        measured);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(n, 29);
    assert_int_equal(differ, COUNT(differing));
}

static int print_markdown(void)
{
    puts("| place | statement | verdict | measured |\n|---|---|---|---|");
    const struct loom_queueing_statement *at;
    for (size_t i = 0; (at = loom_queueing_statement_at(i)); i++) {
        char measured[LOOM_STATEMENT_TEXT];
        bool holds = false;
        if (loom_queueing_statement_check(&holds, measured, i, NULL))
            return 1;
        printf("| %s | %s | %s | %s |\n", at->place, at->text, holds ? "holds" : "**differs**",
               measured);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_statements)};
    if (argc == 2 && strcmp(argv[1], "--markdown") == 0)
        return print_markdown();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
