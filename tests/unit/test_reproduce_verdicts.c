/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts of numbers, statements and items, and the items as data. */
#include "reproduce/condition.h"
#include "reproduce/identity.h"
#include "reproduce/logs.h"
#include "reproduce/verdict.h"

#include "report/contrast.h"

#include "support.h"

#include <math.h>
#include <string.h>

#define NUMBER(value_)  \
    {                   \
        .value = value_ \
    }
#define MEAN(low_, high_)                                                                         \
    {                                                                                             \
        .value = ((low_) + (high_)) / 2, .has_interval = true, .low = low_, .high = high_, .n = 5 \
    }
/* An extreme of 10 of 100 runs. */
#define AT_LEAST(value_)                                                                \
    {                                                                                   \
        .value = value_, .has_interval = true, .low = value_, .high = INFINITY, .n = 10 \
    }
#define PRINTED(value_, tolerance)             \
    {                                          \
        .printed = value_, .within = tolerance \
    }
#define STATED(side, bound_)          \
    {                                 \
        .is = side, .printed = bound_ \
    }

static const struct {
    struct loom_claim claim;
    struct loom_measured measured;
    bool substitute;
    enum loom_verdict verdict;
} judged[] = {
    /* printed numbers */
    {PRINTED(10, 1), NUMBER(10.9), false, LOOM_SAME},
    {PRINTED(10, 1), NUMBER(11), false, LOOM_SAME},
    {PRINTED(10, 1), NUMBER(11.1), false, LOOM_DIFFERS},
    {PRINTED(10, 0), NUMBER(10), false, LOOM_SAME},
    {PRINTED(10, 0), NUMBER(10.01), false, LOOM_DIFFERS},
    {{.printed = 10, .share = 0.2, .within = 1}, NUMBER(11.9), false, LOOM_SAME},
    {{.printed = -10, .share = 0.2}, NUMBER(-11.9), false, LOOM_SAME},
    /* means: near, far, and too uncertain */
    {PRINTED(10, 1), MEAN(9.5, 11.4), false, LOOM_SAME},
    /* an end of the interval is within the tolerance, the estimate 11.85 is not: it shows neither
     */
    {PRINTED(10, 1), MEAN(10.9, 12.8), false, LOOM_UNDECIDED},
    {PRINTED(10, 1), MEAN(7.2, 9.1), false, LOOM_UNDECIDED},
    {PRINTED(10, 1), MEAN(10.1, 11.9), false, LOOM_SAME},
    /* 4 of 10 runs, with Wilson's interval */
    {PRINTED(0.08, 0.1),
     {.value = 0.4, .has_interval = true, .low = 0.1682, .high = 0.6873, .n = 10},
     false,
     LOOM_UNDECIDED},
    {PRINTED(10, 1), MEAN(11.1, 12.8), false, LOOM_DIFFERS},
    {PRINTED(10, 1), MEAN(5, 15), false, LOOM_UNDECIDED},
    {PRINTED(10, 1), MEAN(8.9, 11.1), false, LOOM_UNDECIDED},
    {PRINTED(10, 1), MEAN(12, 40), false, LOOM_DIFFERS},
    /* what the text concludes from a number */
    {{.printed = 10, .within = 1, .has_finding = true, .finding = LOOM_ABOVE, .bound = 5},
     NUMBER(20),
     false,
     LOOM_SAME_FINDING},
    {{.printed = 10, .within = 1, .has_finding = true, .finding = LOOM_ABOVE, .bound = 5},
     MEAN(6, 20),
     false,
     LOOM_SAME_FINDING},
    {{.printed = 10, .within = 1, .has_finding = true, .finding = LOOM_ABOVE, .bound = 5},
     MEAN(4, 20),
     false,
     LOOM_UNDECIDED},
    {{.printed = 10, .within = 1, .has_finding = true, .finding = LOOM_BELOW, .bound = 5},
     NUMBER(20),
     false,
     LOOM_DIFFERS},
    /* statements */
    {STATED(LOOM_ABOVE, 1), NUMBER(1.1), false, LOOM_SAME_FINDING},
    {STATED(LOOM_ABOVE, 1), NUMBER(1), false, LOOM_DIFFERS},
    {STATED(LOOM_BELOW, 1), NUMBER(0.9), false, LOOM_SAME_FINDING},
    {STATED(LOOM_BELOW, 1), NUMBER(1.1), false, LOOM_DIFFERS},
    {STATED(LOOM_ABOVE, 1), MEAN(1.1, 9), false, LOOM_SAME_FINDING},
    {STATED(LOOM_ABOVE, 1), MEAN(0.9, 9), false, LOOM_UNDECIDED},
    {STATED(LOOM_ABOVE, 1), MEAN(0.2, 0.9), false, LOOM_DIFFERS},
    {STATED(LOOM_BELOW, 1), MEAN(0.2, 0.9), false, LOOM_SAME_FINDING},
    {STATED(LOOM_BELOW, 1), MEAN(0.9, 1.2), false, LOOM_UNDECIDED},
    {STATED(LOOM_BELOW, 1), MEAN(1.1, 1.2), false, LOOM_DIFFERS},
    /* extremes of fewer runs than the text has: the others can but raise them */
    {PRINTED(10, 1), AT_LEAST(11.1), false, LOOM_DIFFERS},
    {PRINTED(10, 1), AT_LEAST(10), false, LOOM_UNDECIDED},
    {PRINTED(10, 1), AT_LEAST(3), false, LOOM_UNDECIDED},
    {{.printed = 10, .within = 1, .has_finding = true, .finding = LOOM_ABOVE, .bound = 5},
     AT_LEAST(6),
     false,
     LOOM_SAME_FINDING},
    {{.printed = 10, .within = 1, .has_finding = true, .finding = LOOM_ABOVE, .bound = 5},
     AT_LEAST(4),
     false,
     LOOM_UNDECIDED},
    {{.printed = 2, .within = 1, .has_finding = true, .finding = LOOM_BELOW, .bound = 5},
     AT_LEAST(2),
     false,
     LOOM_UNDECIDED},
    {{.printed = 2, .within = 1, .has_finding = true, .finding = LOOM_BELOW, .bound = 5},
     AT_LEAST(4),
     false,
     LOOM_DIFFERS},
    {STATED(LOOM_BELOW, 5), AT_LEAST(4), false, LOOM_UNDECIDED},
    {STATED(LOOM_BELOW, 5), AT_LEAST(5), false, LOOM_DIFFERS},
    {STATED(LOOM_ABOVE, 5), AT_LEAST(6), false, LOOM_SAME_FINDING},
    {STATED(LOOM_ABOVE, 5), AT_LEAST(4), false, LOOM_UNDECIDED},
    {STATED(LOOM_ABOVE, 5), AT_LEAST(6), true, LOOM_SUBSTITUTE},
    /* on another log */
    {STATED(LOOM_ABOVE, 1), NUMBER(1.1), true, LOOM_SUBSTITUTE},
    {STATED(LOOM_ABOVE, 1), NUMBER(0.9), true, LOOM_DIFFERS},
    {STATED(LOOM_ABOVE, 1), MEAN(0.9, 1.2), true, LOOM_UNDECIDED},
};

static void numbers_are_judged(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(judged); i++) {
        enum loom_verdict verdict =
            loom_judge(&judged[i].claim, &judged[i].measured, judged[i].substitute);
        if (verdict != judged[i].verdict)
            fail_msg("row %zu is '%s', not '%s'", i, loom_verdict_name(verdict),
                     loom_verdict_name(judged[i].verdict));
    }
}

static void replications_that_decide(void **state)
{
    static const struct {
        struct loom_claim claim;
        struct loom_measured measured; /* n = 5 */
        size_t n;
    } rows[] = {
        /* the bound is half of the interval's side away: four times as many */
        {STATED(LOOM_ABOVE, 1), MEAN(0.9, 1.3), 20},
        {STATED(LOOM_BELOW, 1), MEAN(0.9, 1.3), 20},
        {STATED(LOOM_BELOW, 1), MEAN(0.7, 1.1), 20},
        /* the side towards the bound counts: 0.2 to a bound at a distance of 0.1 */
        {STATED(LOOM_ABOVE, 1),
         {.value = 1.1, .has_interval = true, .low = 0.9, .high = 9, .n = 5},
         20},
        /* near, and twice as wide as tolerated */
        {PRINTED(10, 1), MEAN(8, 12), 20},
        /* 2.5 off with a tolerance of 0.5, and an interval of 3 to each side: (3 / 2)^2 */
        {PRINTED(10, 0.5), MEAN(9.5, 15.5), 12},
        /* 101 are 110, as two digits are enough */
        {STATED(LOOM_ABOVE, 0), MEAN(-3.494, 5.494), 110},
        /* nothing decides */
        {STATED(LOOM_ABOVE, 1), MEAN(0.9, 1.1), 0},
        {PRINTED(10, 0), MEAN(9, 11), 0},
        {STATED(LOOM_ABOVE, 1),
         {.value = 2, .has_interval = true, .low = -INFINITY, .high = INFINITY, .n = 5},
         0},
        {STATED(LOOM_ABOVE, 1), NUMBER(2), 0},
        /* the runs of the text decide about an extreme */
        {{.printed = 10, .within = 1, .quick = 10, .full = 100}, AT_LEAST(3), 100},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (loom_replications_deciding(&rows[i].claim, &rows[i].measured) != rows[i].n)
            fail_msg("row %zu: %zu replications", i,
                     loom_replications_deciding(&rows[i].claim, &rows[i].measured));
}

/* All comparisons with NAN are false, so that it would pass for the same number. */
static void what_is_no_number_is_refused(void **state)
{
    static const struct {
        struct loom_measured measured;
        int rc;
    } rows[] = {
        {NUMBER(1), 0},
        {MEAN(1, 2), 0},
        {{.value = 1, .has_interval = true, .low = -INFINITY, .high = INFINITY}, 0},
        {NUMBER(NAN), LOOM_EDATA},
        {NUMBER(INFINITY), LOOM_EDATA},
        {{.value = 1, .has_interval = true, .low = NAN, .high = 2}, LOOM_EDATA},
        {{.value = 1, .has_interval = true, .low = 0, .high = NAN}, LOOM_EDATA},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(loom_measured_check(&rows[i].measured, NULL), rows[i].rc);
}

static void extremes_have_no_upper_end(void **state)
{
    struct loom_measured extreme = loom_measured_at_least(3, 10);
    (void)state;
    assert_true(extreme.has_interval && extreme.value == 3 && extreme.n == 10);
    assert_true(loom_is_at_least(extreme.value, extreme.low, extreme.high));
    assert_int_equal(loom_measured_check(&extreme, NULL), 0);
    assert_false(loom_is_at_least(3, -INFINITY, INFINITY));
    assert_false(loom_is_at_least(3, 3, 4));
}

static void an_item_has_the_worst_verdict(void **state)
{
    static const struct loom_claim claims[4] = {[3] = {.reading = true}};
    static const struct loom_item item = {.name = "made/up", LOOM_CLAIMS(claims)};
    static const struct {
        enum loom_verdict claims[4], verdict;
    } rows[] = {
        {{LOOM_SAME, LOOM_SAME, LOOM_SAME, LOOM_SAME}, LOOM_SAME},
        {{LOOM_SAME, LOOM_SAME_FINDING, LOOM_SAME, LOOM_SAME}, LOOM_SAME_FINDING},
        {{LOOM_SAME, LOOM_UNDECIDED, LOOM_SUBSTITUTE, LOOM_SAME}, LOOM_UNDECIDED},
        {{LOOM_DIFFERS, LOOM_UNDECIDED, LOOM_SAME, LOOM_SAME}, LOOM_DIFFERS},
        {{LOOM_SAME, LOOM_NOT_POSSIBLE, LOOM_SAME, LOOM_DIFFERS}, LOOM_SAME},
        {{LOOM_NOT_POSSIBLE, LOOM_NOT_POSSIBLE, LOOM_NOT_POSSIBLE, LOOM_SAME}, LOOM_NOT_POSSIBLE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(loom_judge_item(&item, rows[i].claims), rows[i].verdict);
}

/* ---- items ----------------------------------------------------------------------------------- */

/* Call a function for each item. */
static void for_items(void (*check)(const struct loom_item *item))
{
    for (size_t i = 0; loom_chapters[i]; i++)
        for (size_t j = 0; j < loom_chapters[i]->n; j++)
            check(&loom_chapters[i]->items[j]);
}

static bool has_item(const char *name)
{
    const char *at, *place, *title;
    for (size_t i = 0; loom_item_at(i, &at, &place, &title); i++)
        if (strcmp(at, name) == 0)
            return true;
    return false;
}

/* Every table and figure of the texts that can be asked for. */
static void all_tables_and_figures_have_an_entry(void **state)
{
    static const struct {
        const char *prefix;
        int from, to;
    } wanted[] = {
        {"feitelson2002/table-", 1, 2},   {"feitelson2002/figure-", 1, 7},
        {"lublin2003/table-", 1, 7},      {"lublin2003/figure-", 2, 10},
        {"minh2010/table-", 1, 6},        {"minh2010/figure-", 1, 7},
        {"minh2012/table-3.", 1, 20},     {"minh2012/figure-3.", 1, 8},
        {"minh2012/table-4.", 1, 3},      {"minh2012/figure-4.", 5, 6},
        {"minh2012/table-5.", 1, 2},      {"minh2012/figure-5.", 1, 3},
        {"minh2012/figure-6.", 1, 3},     {"minh2012/table-7.", 1, 1},
        {"minh2012/figure-7.", 2, 5},     {"minh2012/section-7.", 4, 4},
        {"minh2012/table-8.", 1, 7},      {"minh2012/figure-8.", 1, 2},
        {"zakay2017/ch2-table-", 1, 1},   {"zakay2017/ch2-figure-", 2, 15},
        {"zakay2017/ch3-table-", 2, 7},   {"zakay2017/ch3-figure-", 1, 2},
        {"zakay2017/ch3-figure-", 4, 16}, {"zakay2017/ch4-table-", 1, 1},
        {"zakay2017/ch4-figure-", 5, 10}, {"zakay2017/ch5-table-", 1, 1},
        {"zakay2017/ch5-figure-", 4, 9},  {"zakay2017/ch6-figure-", 3, 8},
    };
    char name[64];
    (void)state;
    for (size_t i = 0; i < COUNT(wanted); i++)
        for (int j = wanted[i].from; j <= wanted[i].to; j++) {
            snprintf(name, sizeof name, "%s%d", wanted[i].prefix, j);
            if (!has_item(name))
                fail_msg("there is no item '%s'", name);
        }
}

static void check_claims(const struct loom_item *item)
{
    assert_true(item->n > 0 || item->note);
    for (size_t i = 0; i < item->n; i++) {
        const struct loom_claim *claim = &item->claims[i];
        bool tolerant = claim->within > 0 || claim->share > 0;
        if (claim->log && !loom_log_find(claim->log))
            fail_msg("%s: there is no log '%s'", item->name, claim->log);
        if (claim->instead && !loom_log_find(claim->instead))
            fail_msg("%s: there is no log '%s'", item->name, claim->instead);
        if (!claim->measure && !claim->tried)
            fail_msg("%s, claim %zu: nothing says why it cannot be measured", item->name, i + 1);
        if (claim->measure && loom_measure_number(claim->measure) == LOOM_NO_MEASURE)
            fail_msg("%s, claim %zu: its measure has no number", item->name, i + 1);
        if (claim->measure && tolerant && !claim->why)
            fail_msg("%s, claim %zu: the tolerance has no reason", item->name, i + 1);
        if (claim->trial && (claim->trial->quick < 1 || claim->trial->full < claim->trial->quick))
            fail_msg("%s, claim %zu: replications of the trial", item->name, i + 1);
    }
}

static void claims_are_complete(void **state)
{
    (void)state;
    for_items(check_claims);
}

static bool is_figure(const char *name)
{
    struct loom_figure figure;
    for (size_t i = 0; loom_figure_at(i, &figure); i++)
        if (strcmp(figure.name, name) == 0)
            return true;
    for (const struct loom_figure_ops *ops = loom_figures_contrast; ops->name; ops++)
        if (strcmp(ops->name, name) == 0)
            return true;
    return false;
}

static void check_figures(const struct loom_item *item)
{
    char names[256];
    snprintf(names, sizeof names, "%s", item->figure ? item->figure : "");
    for (char *at = names, *name; (name = strsep(&at, " "));)
        if (name[0] && !item->sweep && !is_figure(name))
            fail_msg("%s: there is no figure '%s'", item->name, name);
    if (item->axis && !strstr(item->axis, "load") && !strstr(item->axis, "correlation_degree"))
        fail_msg("%s: axis '%s'", item->name, item->axis);
}

static void figures_of_items_exist(void **state)
{
    (void)state;
    for_items(check_figures);
}

static void conditions_are_read_one_by_one(void **state)
{
    const char *text = "scheduler=selective:threshold=2; load=0.9; gap_s<=100; column";
    static const struct loom_condition expected[] = {
        {"scheduler", "selective:threshold=2", false},
        {"load", "0.9", false},
        {"gap_s", "100", true},
        {"column", "", false},
    };
    struct loom_condition condition;
    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_true(loom_condition_next(&condition, &text));
        assert_string_equal(condition.key, expected[i].key);
        assert_string_equal(condition.value, expected[i].value);
        assert_int_equal(condition.at_most, expected[i].at_most);
    }
    assert_false(loom_condition_next(&condition, &text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_judged),
        cmocka_unit_test(replications_that_decide),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(extremes_have_no_upper_end),
        cmocka_unit_test(an_item_has_the_worst_verdict),
        cmocka_unit_test(all_tables_and_figures_have_an_entry),
        cmocka_unit_test(claims_are_complete),
        cmocka_unit_test(figures_of_items_exist),
        cmocka_unit_test(conditions_are_read_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
