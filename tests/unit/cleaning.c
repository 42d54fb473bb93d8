/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the cleaning rules share. */
#include "cleaning.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- logs ------------------------------------------------------------------------------------ */

struct loom_trace *new_trace(void)
{
    struct loom_trace *trace = empty_trace();
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "999993600", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "TimeZone", "0", NULL), 0);
    return trace;
}

struct loom_job good_job(int64_t submit_s, int32_t user)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = submit_s;
    job.wait_s = 0;
    job.run_s = 100;
    job.alloc_procs = job.req_procs = 4;
    job.status = LOOM_STATUS_COMPLETED;
    job.user = user;
    return job;
}

void add(struct loom_trace *trace, struct loom_job job)
{
    job.number = (int64_t)loom_trace_count(trace) + 1;
    append(trace, job);
}

void add_every(struct loom_trace *trace, int32_t user, int64_t from_s, int64_t to_s, int64_t step_s)
{
    for (int64_t at = from_s; at < to_s; at += step_s)
        add(trace, good_job(at, user));
}

void add_burst(struct loom_trace *trace, int32_t user, int64_t from_s, int64_t jobs,
               int64_t length_s)
{
    for (int64_t i = 0; i < jobs; i++)
        add(trace, good_job(from_s + i * length_s / jobs, user));
}

void add_others(struct loom_trace *trace, int64_t weeks, int64_t per_week)
{
    for (int64_t i = 0; i < weeks * per_week; i++)
        add(trace, good_job(i * WEEK / per_week, (int32_t)(1 + i % 5)));
}

/* ---- cleaning them --------------------------------------------------------------------------- */

static struct loom_params *new_params(const struct option *options)
{
    static const struct loom_param *const lists[] = {loom_clean_params, NULL};
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    for (; options->name; options++)
        assert_int_equal(loom_params_set(params, options->name, options->value, NULL), 0);
    return params;
}

int try_clean(struct loom_cleaning **out, const struct loom_trace *trace,
              const struct option *options, struct loom_error *err)
{
    struct loom_params *params = new_params(options);
    int rc = loom_cleaning_create(out, trace, params, err);
    loom_params_destroy(params);
    return rc;
}

/* Each mark points at a reason, and each reason counts its marks. */
static void assert_account(const struct loom_cleaning *cleaning, size_t jobs)
{
    const uint32_t *marks = loom_cleaning_marks(cleaning);
    size_t reasons = loom_cleaning_reasons(cleaning);
    int64_t *counts = calloc(reasons + 1, sizeof *counts);
    assert_non_null(counts);
    for (size_t row = 0; row < jobs; row++) {
        assert_true(marks[row] <= reasons);
        counts[marks[row]]++;
    }
    for (size_t i = 0; i < reasons; i++)
        assert_int_equal(loom_cleaning_reason(cleaning, i)->jobs, counts[i + 1]);
    free(counts);
    assert_null(loom_cleaning_reason(cleaning, reasons));
}

struct loom_cleaning *clean(const struct loom_trace *trace, const struct option *options)
{
    struct loom_error err = {0};
    struct loom_cleaning *cleaning = NULL;
    if (try_clean(&cleaning, trace, options, &err))
        fail_msg("%s", err.message);
    assert_account(cleaning, loom_trace_count(trace));
    return cleaning;
}

/* "rule jobs text\n" for each reason. */
static char *reasons_text(const struct loom_cleaning *cleaning)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    for (size_t i = 0; i < loom_cleaning_reasons(cleaning); i++) {
        const struct loom_clean_reason *reason = loom_cleaning_reason(cleaning, i);
        fprintf(file, "%s %lld %s\n", reason->rule, (long long)reason->jobs, reason->text);
    }
    assert_int_equal(fclose(file), 0);
    return text;
}

void assert_reasons(const struct loom_cleaning *cleaning, const char *expected)
{
    char *text = reasons_text(cleaning);
    assert_string_equal(text, expected);
    free(text);
}

void assert_cleans(struct loom_trace *trace, const struct option *options, const char *expected)
{
    struct loom_cleaning *cleaning = clean(trace, options);
    assert_reasons(cleaning, expected);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

void assert_drops_rows(const struct loom_cleaning *cleaning, size_t jobs, size_t first, size_t last)
{
    for (size_t row = 0; row < jobs; row++)
        if ((loom_cleaning_marks(cleaning)[row] != 0) != (row >= first && row <= last))
            fail_msg("row %zu is marked %u", row, loom_cleaning_marks(cleaning)[row]);
}
