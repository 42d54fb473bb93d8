/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of data as people read them: headings and values, by the keys of columns. */
#include "support.h"

#include "base/table.h"
#include "report/cells.h"

#include <string.h>

static void test_headings(void **state)
{
    (void)state;
    static const struct {
        const char *key, *heading;
    } cases[] = {
        {"wait_mean_s", "mean wait"},
        {"work_share", "of all work"},
        {"share_jobs", "of all jobs"},
        {"interval_s", "interval"},
        {"cut_min", "cut"},
        {"runtime_mean_s", "mean runtime"},
        {"think_times", "think times"},
        {"zero_fraction", "without a job"},
        {"jobs", "jobs"},
    };
    char text[LOOM_CELL];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(loom_cell_heading(cases[i].key, text, sizeof text), cases[i].heading);
    assert_int_equal(loom_cell_priority("wait_mean_s"), LOOM_KEEP);
    assert_true(loom_cell_priority("wait_p99_s") < loom_cell_priority("wait_median_s"));
}

/* Numbers of jobs and users are names; a row of seconds has them in columns without a unit. */
static void test_values(void **state)
{
    (void)state;
    static const char csv[] = "job,work_share,interval_s,cut_min,used_mem_kib,jobs,change_percent\n"
                              "13123,4.25073e-05,12577,20,2048,14888,-9.8744\n"
                              "7,0.5,,20,,1,0\n";
    static const char *const wanted[] = {"13123", "<0.01 %", "3.49 h", "20 min",
                                         "2 MiB", "14,888",  "-9.87 %"};
    static const char service[] = "measure,jobs,mean\nwait (s),1000,7200\nslowdown,1000,7200\n";
    struct loom_cells cells;
    char text[LOOM_CELL];
    assert_int_equal(loom_cells_read(&cells, csv, strlen(csv), NULL), 0);
    for (size_t c = 0; c < sizeof wanted / sizeof *wanted; c++)
        assert_string_equal(loom_cell_text(&cells, 1, c, text, sizeof text), wanted[c]);
    assert_string_equal(loom_cell_text(&cells, 2, 2, text, sizeof text), "");
    loom_cells_free(&cells);
    assert_int_equal(loom_cells_read(&cells, service, strlen(service), NULL), 0);
    assert_string_equal(loom_cell_text(&cells, 1, 0, text, sizeof text), "wait");
    assert_string_equal(loom_cell_text(&cells, 1, 1, text, sizeof text), "1,000");
    assert_string_equal(loom_cell_text(&cells, 1, 2, text, sizeof text), "2 h");
    assert_string_equal(loom_cell_text(&cells, 2, 2, text, sizeof text), "7,200");
    loom_cells_free(&cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headings),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
