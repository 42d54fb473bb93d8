/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces that share the columns of another until they write to them. */
#include "support.h"
#include "trace/table.h"

#include <stdlib.h>
#include <string.h>

static struct loom_trace *random_trace(size_t n)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 8, 0, "derived");
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "Note", "a note: with colon", NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_USER, 3, "ann", NULL), 0);
    assert_int_equal(loom_trace_set_name(trace, LOOM_QUEUE, 1, "batch", NULL), 0);
    for (size_t i = 0; i < n; i++)
        append(trace, any_job(&stream));
    return trace;
}

static struct loom_trace *derived(const struct loom_trace *from)
{
    struct loom_trace *trace = NULL;
    assert_int_equal(loom_trace_derive(&trace, from, NULL), 0);
    return trace;
}

static struct loom_trace *copy_of(const struct loom_trace *trace)
{
    struct loom_trace *copy = NULL;
    uint8_t *none = calloc(loom_trace_count(trace) + 1, 1);
    assert_non_null(none);
    assert_int_equal(loom_trace_subset(&copy, trace, none, 0, NULL), 0);
    free(none);
    return copy;
}

/* Whether each column of a is the memory of b's, by column. */
static void shared_columns(bool shared[LOOM_COLUMN_COUNT], const struct loom_trace *a,
                           const struct loom_trace *b)
{
    const struct loom_jobs *jobs = loom_trace_jobs(a), *others = loom_trace_jobs(b);
    int column = 0;
#define X(name, type, what) shared[column++] = jobs->name == others->name;
    LOOM_COLUMNS(X)
#undef X
}

static size_t count_shared(const struct loom_trace *a, const struct loom_trace *b)
{
    bool shared[LOOM_COLUMN_COUNT];
    size_t n = 0;
    shared_columns(shared, a, b);
    for (int column = 0; column < LOOM_COLUMN_COUNT; column++)
        n += shared[column];
    return n;
}

static void test_same_trace(void **state)
{
    struct loom_trace *trace = random_trace(100), *other = derived(trace);
    (void)state;
    assert_int_equal(count_shared(other, trace), LOOM_COLUMN_COUNT);
    assert_same_jobs(other, trace);
    assert_same_header(other, trace);
    assert_int_equal(loom_trace_machine(other)->max_procs, 64);
    assert_string_equal(loom_trace_name(other, LOOM_USER, 3), "ann");
    assert_string_equal(loom_trace_name(other, LOOM_QUEUE, 1), "batch");
    assert_string_equal(loom_trace_report(other)->file, loom_trace_report(trace)->file);
    loom_trace_destroy(other);
    assert_int_equal(loom_trace_count(trace), 100);
    loom_trace_destroy(trace);
}

/* Header and names are its own from the beginning. */
static void test_header_is_its_own(void **state)
{
    struct loom_trace *trace = random_trace(10), *copy = copy_of(trace), *other = derived(trace);
    (void)state;
    assert_int_equal(loom_trace_set_directive(other, "MaxProcs", "8", NULL), 0);
    assert_int_equal(loom_trace_add_directive(other, "Note", "another", NULL), 0);
    assert_int_equal(loom_trace_set_name(other, LOOM_USER, 3, "bob", NULL), 0);
    assert_same_header(trace, copy);
    assert_string_equal(loom_trace_name(trace, LOOM_USER, 3), "ann");
    assert_string_equal(loom_trace_name(other, LOOM_USER, 3), "bob");
    assert_int_equal(loom_trace_machine(trace)->max_procs, 64);
    assert_int_equal(loom_trace_machine(other)->max_procs, 8);
    loom_trace_destroy(other);
    assert_string_equal(loom_trace_name(trace, LOOM_USER, 3), "ann");
    loom_trace_destroy(copy);
    loom_trace_destroy(trace);
}

/* Each column in turn: it alone is copied, and what is written to it is in one trace only. */
static void test_copy_on_write(void **state)
{
    struct loom_trace *trace = random_trace(70), *copy = copy_of(trace);
    int column = 0;
    (void)state;
#define X(name, type, what)                                                   \
    {                                                                         \
        struct loom_trace *other = derived(trace);                            \
        bool shared[LOOM_COLUMN_COUNT];                                       \
        assert_int_equal(loom_trace_own(other, LOOM_COLUMN_##name, NULL), 0); \
        shared_columns(shared, other, trace);                                 \
        assert_int_equal(count_shared(other, trace), LOOM_COLUMN_COUNT - 1);  \
        assert_false(shared[column]);                                         \
        assert_same_jobs(other, trace);                                       \
        const void *memory = other->columns.name;                             \
        other->columns.name[69] = 12345;                                      \
        assert_int_equal(loom_trace_own(other, LOOM_COLUMN_##name, NULL), 0); \
        assert_ptr_equal(other->columns.name, memory);                        \
        assert_true(loom_trace_job(other, 69).name == 12345);                 \
        assert_same_jobs(trace, copy);                                        \
        loom_trace_destroy(other);                                            \
        assert_same_jobs(trace, copy);                                        \
        column++;                                                             \
    }
    LOOM_COLUMNS(X)
#undef X
    loom_trace_destroy(copy);
    loom_trace_destroy(trace);
}

/* A trace that is derived from none owns its columns already. */
static void test_own_of_a_plain_trace(void **state)
{
    struct loom_trace *trace = random_trace(5);
    const int64_t *before = trace->columns.run_s;
    (void)state;
    assert_int_equal(loom_trace_own(trace, LOOM_COLUMN_run_s, NULL), 0);
    assert_ptr_equal(trace->columns.run_s, before);
    loom_trace_destroy(trace);
}

/* Three generations: what the middle one changes is seen by those derived later, not by those
 * derived before. */
static void test_generations(void **state)
{
    struct loom_trace *trace = random_trace(20), *copy = copy_of(trace);
    struct loom_trace *middle = derived(trace), *before = derived(middle);
    (void)state;
    assert_int_equal(loom_trace_own(middle, LOOM_COLUMN_submit_s, NULL), 0);
    middle->columns.submit_s[7] = 4711;
    struct loom_trace *after = derived(middle);
    assert_same_jobs(before, copy);
    assert_same_jobs(after, middle);
    assert_int_equal(loom_trace_job(after, 7).submit_s, 4711);
    assert_int_equal(loom_trace_own(after, LOOM_COLUMN_submit_s, NULL), 0);
    after->columns.submit_s[7] = 4712;
    assert_int_equal(loom_trace_job(middle, 7).submit_s, 4711);
    loom_trace_destroy(after);
    loom_trace_destroy(before);
    assert_int_equal(loom_trace_job(middle, 7).submit_s, 4711);
    loom_trace_destroy(middle);
    assert_same_jobs(trace, copy);
    loom_trace_destroy(copy);
    loom_trace_destroy(trace);
}

/* Room for more rows, or less, is memory of its own for all columns. */
static void test_other_capacity(void **state)
{
    struct loom_trace *trace = random_trace(100), *copy = copy_of(trace);
    struct loom_trace *larger = derived(trace), *smaller = derived(trace);
    (void)state;
    assert_int_equal(loom_trace_reserve(larger, trace->capacity + 1, NULL), 0);
    assert_int_equal(count_shared(larger, trace), 0);
    append(larger, loom_job_unknown());
    assert_int_equal(loom_trace_count(larger), 101);
    assert_true(trace->capacity > 100);
    loom_trace_trim(smaller);
    assert_int_equal(count_shared(smaller, trace), 0);
    assert_same_jobs(smaller, copy);
    loom_trace_destroy(larger);
    loom_trace_destroy(smaller);
    assert_same_jobs(trace, copy);
    loom_trace_destroy(copy);
    loom_trace_destroy(trace);
}

/* Columns of one value, which take no memory in the original, are copied as any other. */
static void test_repeated_columns(void **state)
{
    enum { ROWS = 1 << 18 };
    const int32_t status = 5, partition = 9;
    const int64_t think_s = -1;
    struct loom_trace *trace = empty_trace();
    (void)state;
    assert_int_equal(loom_trace_reserve(trace, ROWS, NULL), 0);
#define X(name, type, what) memset(trace->columns.name, 0, ROWS * sizeof(type));
    LOOM_COLUMNS(X)
#undef X
    trace->view.n = ROWS;
    loom_trace_set_column(trace, LOOM_COLUMN_status, &status);
    loom_trace_set_column(trace, LOOM_COLUMN_think_s, &think_s);
    assert_true(trace->repeated[LOOM_COLUMN_status]);
    struct loom_trace *other = derived(trace);
    assert_int_equal(loom_trace_own(other, LOOM_COLUMN_status, NULL), 0);
    other->columns.status[ROWS - 1] = 1;
    assert_int_equal(loom_trace_job(trace, ROWS - 1).status, 5);
    assert_int_equal(loom_trace_job(other, 0).status, 5);
    assert_int_equal(loom_trace_own(other, LOOM_COLUMN_partition, NULL), 0);
    loom_trace_set_column(other, LOOM_COLUMN_partition, &partition);
    assert_int_equal(loom_trace_job(other, 17).partition, 9);
    assert_int_equal(loom_trace_job(trace, 17).partition, 0);
    loom_trace_destroy(other);
    assert_int_equal(loom_trace_job(trace, ROWS / 2).think_s, -1);
    loom_trace_destroy(trace);
}

/* A column of one value stays so when rows are dropped; one that has been written to since it was
 * made is compacted as any other. */
static void test_repeated_columns_of_kept_rows(void **state)
{
    enum { ROWS = 1 << 18 };
    const int32_t status = 5, partition = 9;
    struct loom_trace *trace = empty_trace();
    uint8_t *keep = malloc(ROWS);
    (void)state;
    assert_non_null(keep);
    assert_int_equal(loom_trace_reserve(trace, ROWS, NULL), 0);
#define X(name, type, what) memset(trace->columns.name, 0, ROWS * sizeof(type));
    LOOM_COLUMNS(X)
#undef X
    trace->view.n = ROWS;
    loom_trace_set_column(trace, LOOM_COLUMN_status, &status);
    loom_trace_set_column(trace, LOOM_COLUMN_partition, &partition);
    for (size_t row = 0; row < ROWS; row++) {
        trace->columns.number[row] = (int64_t)row;
        keep[row] = row % 3 == 2;
    }
    trace->columns.partition[ROWS - 2] = 1; /* row 2 of three */
    loom_trace_keep(trace, keep);
    assert_int_equal(loom_trace_count(trace), ROWS / 3);
    assert_true(trace->repeated[LOOM_COLUMN_status]);
    for (size_t row = 0; row < ROWS / 3; row++) {
        const struct loom_job job = loom_trace_job(trace, row);
        assert_int_equal(job.number, 3 * row + 2);
        assert_int_equal(job.status, 5);
        assert_int_equal(job.partition, job.number == ROWS - 2 ? 1 : 9);
    }
    free(keep);
    loom_trace_destroy(trace);
}

static void test_no_jobs(void **state)
{
    struct loom_trace *trace = empty_trace(), *other = derived(trace);
    (void)state;
    assert_int_equal(loom_trace_count(other), 0);
    assert_int_equal(loom_trace_own(other, LOOM_COLUMN_run_s, NULL), 0);
    append(other, loom_job_unknown());
    assert_int_equal(loom_trace_count(other), 1);
    assert_int_equal(loom_trace_count(trace), 0);
    loom_trace_destroy(other);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_trace),
        cmocka_unit_test(test_header_is_its_own),
        cmocka_unit_test(test_copy_on_write),
        cmocka_unit_test(test_own_of_a_plain_trace),
        cmocka_unit_test(test_generations),
        cmocka_unit_test(test_other_capacity),
        cmocka_unit_test(test_repeated_columns),
        cmocka_unit_test(test_repeated_columns_of_kept_rows),
        cmocka_unit_test(test_no_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
