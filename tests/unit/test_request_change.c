/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requested times of a trace replaced: by hand, by their distribution, and what is refused. */
#include "base/search.h"
#include "job_rows.h"
#include "request_log.h"

#include "base/sort.h"
#include "trace/table.h"

#include <workloom/stats.h>

static void must_change(struct loom_trace *trace, struct loom_request_change *change,
                        struct loom_pool *pool)
{
    struct loom_error err = {0};
    if (loom_trace_change_requests(trace, change, pool, &err))
        fail_msg("%s", err.message);
}

/* The last header line. */
static const char *last_note(const struct loom_trace *trace)
{
    const struct loom_directive *directives;
    size_t n = loom_trace_directives(trace, &directives);
    return n > 0 ? directives[n - 1].text : "";
}

/* ---- words ----------------------------------------------------------------------------------- */

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum loom_requests_of of;
        enum loom_request_rule how;
        double factor;
    } cases[] = {
        {"model", LOOM_REQUESTS_OF_MODEL, LOOM_REQUESTS_MODEL, 0},
        {"none", LOOM_REQUESTS_OF_MODEL, LOOM_REQUESTS_NONE, 0},
        {"requested", LOOM_REQUESTS_OF_TRACE, LOOM_REQUESTS_REQUESTED, 0},
        {"exact", LOOM_REQUESTS_OF_TRACE, LOOM_REQUESTS_EXACT, 0},
        {"exact", LOOM_REQUESTS_OF_MODEL, LOOM_REQUESTS_EXACT, 0},
        {"modal", LOOM_REQUESTS_OF_TRACE, LOOM_REQUESTS_MODAL, 0},
        {"f:1", LOOM_REQUESTS_OF_TRACE, LOOM_REQUESTS_FACTOR, 1},
        {"f:2.5", LOOM_REQUESTS_OF_MODEL, LOOM_REQUESTS_FACTOR, 2.5},
        {"uniform:0", LOOM_REQUESTS_OF_TRACE, LOOM_REQUESTS_UNIFORM, 0},
        {"uniform:1000000", LOOM_REQUESTS_OF_TRACE, LOOM_REQUESTS_UNIFORM, 1e6},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum loom_request_rule how;
        double factor;
        char text[LOOM_REQUEST_RULE_TEXT];
        struct loom_error err = {0};
        if (loom_request_rule_parse(&how, &factor, cases[i].text, cases[i].of, &err))
            fail_msg("%s", err.message);
        assert_int_equal(how, cases[i].how);
        assert_true(factor == cases[i].factor);
        assert_string_equal(loom_request_rule_text(text, sizeof text, how, factor), cases[i].text);
    }
}

static void words_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum loom_requests_of of;
        const char *part; /* of the message */
    } cases[] = {
        {"exat", LOOM_REQUESTS_OF_TRACE, "did you mean 'exact'?"},
        {"unifrom:3", LOOM_REQUESTS_OF_TRACE, "'unifrom'; did you mean 'uniform'?"},
        {"none", LOOM_REQUESTS_OF_TRACE, "take requested, exact,"},
        {"requested", LOOM_REQUESTS_OF_MODEL, "take model, none, exact,"},
        {"", LOOM_REQUESTS_OF_TRACE, "there is no kind of estimates ''"},
        {"exact:2", LOOM_REQUESTS_OF_TRACE, "exact takes no factor"},
        {"f", LOOM_REQUESTS_OF_TRACE, "f needs a factor from 1 to 1000000"},
        {"f:", LOOM_REQUESTS_OF_TRACE, "f needs a factor from 1 to 1000000"},
        {"f:0.99", LOOM_REQUESTS_OF_TRACE, "'f:0.99': f needs a factor from 1 to 1000000"},
        {"f:2x", LOOM_REQUESTS_OF_TRACE, "f needs a factor from 1 to 1000000"},
        {"f:nan", LOOM_REQUESTS_OF_TRACE, "f needs a factor from 1 to 1000000"},
        {"uniform", LOOM_REQUESTS_OF_MODEL, "uniform needs a factor from 0 to 1000000"},
        {"uniform:-1", LOOM_REQUESTS_OF_TRACE, "uniform needs a factor from 0 to 1000000"},
        {"uniform:1e7", LOOM_REQUESTS_OF_TRACE, "uniform needs a factor from 0 to 1000000"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum loom_request_rule how;
        double factor;
        struct loom_error err = {0};
        assert_int_equal(loom_request_rule_parse(&how, &factor, cases[i].text, cases[i].of, &err),
                         LOOM_EUSAGE);
        if (!strstr(err.message, cases[i].part))
            fail_msg("'%s': %s", cases[i].text, err.message);
    }
}

/* ---- by hand --------------------------------------------------------------------------------- */

enum { NO = -1 };
static const struct row small[] = {
    /* submit, run, procs, request, user, group, queue */
    {0, 100, 1, 3600, 1, 1, 1}, {10, 0, 2, 60, 1, 1, 1},  {20, NO, 2, 600, 2, 1, 1},
    {30, NO, 2, NO, 2, 1, 1},   {40, 3, NO, NO, 2, 1, 1}, {50, 500, 4, 500, NO, 1, 1},
};

static void assert_requests(enum loom_request_rule how, double factor, const int64_t *wanted,
                            int64_t changed, const char *note)
{
    struct loom_trace *trace = log_of(small, COUNT(small));
    struct loom_request_change change = {.how = how, .factor = factor, .changed = 99};
    must_change(trace, &change, NULL);
    for (size_t i = 0; i < COUNT(small); i++) {
        struct loom_job job = loom_trace_job(trace, i);
        assert_int_equal(job.request_s, wanted[i]);
        assert_int_equal(job.run_s, small[i].run_s);
        assert_int_equal(job.submit_s, small[i].submit_s);
        assert_int_equal(job.user, small[i].user);
    }
    assert_int_equal(change.changed, changed);
    assert_string_equal(last_note(trace), note);
    loom_trace_destroy(trace);
}

static void by_hand(void **state)
{
    (void)state;
    assert_requests(LOOM_REQUESTS_REQUESTED, 0, (int64_t[]){3600, 60, 600, NO, NO, 500}, 0, "");
    assert_requests(LOOM_REQUESTS_EXACT, 0, (int64_t[]){100, 1, 600, NO, 3, 500}, 3,
                    " Note: requested times set to exact: 3 of 6 jobs changed");
    /* 3 x 2.4 = 7.2 */
    assert_requests(LOOM_REQUESTS_FACTOR, 2.4, (int64_t[]){240, 1, 600, NO, 7, 1200}, 4,
                    " Note: requested times set to f:2.4: 4 of 6 jobs changed");
    assert_requests(LOOM_REQUESTS_UNIFORM, 0, (int64_t[]){100, 1, 600, NO, 3, 500}, 3,
                    " Note: requested times set to uniform:0 (seed 0, replication 0): 3 of 6 jobs "
                    "changed");
}

/* A reader keeps the ranges of columns, which are others then. */
static void ranges_are_found_again(void **state)
{
    (void)state;
    struct scratch scratch;
    assert_int_equal(scratch_open(&scratch, "log.swf"), 0);
    struct loom_trace *trace = log_of(small, COUNT(small));
    struct loom_trace *read = write_and_read(trace, scratch.file, "swf");
    struct loom_request_change change = {.how = LOOM_REQUESTS_FACTOR, .factor = 10};
    struct loom_summary summary;
    must_change(read, &change, NULL);
    assert_int_equal(loom_summarize(&summary, read, NULL), 0);
    assert_true(summary.columns[LOOM_COLUMN_request_s].max == 5000);
    assert_int_equal(summary.columns[LOOM_COLUMN_request_s].known, 5);
    loom_trace_destroy(read);
    loom_trace_destroy(trace);
    assert_int_equal(scratch_close(&scratch), 0);
}

/* ---- uniform --------------------------------------------------------------------------------- */

static struct loom_trace *runs(size_t n)
{
    struct loom_stream stream;
    struct loom_trace *trace = empty_trace();
    loom_stream_init(&stream, 1, 0, "runs");
    for (size_t i = 0; i < n; i++)
        append_row(trace,
                   (struct row){(int64_t)i * 7, 5000 + (int64_t)loom_stream_below(&stream, 100000),
                                1, -1, 1, 1, 1});
    return trace;
}

static void uniform_is_uniform(void **state)
{
    (void)state;
    enum { N = 20000 };
    static const double F = 4;
    static double times[N];
    struct loom_trace *trace = runs(N);
    struct loom_request_change change = {.how = LOOM_REQUESTS_UNIFORM, .factor = F, .seed = 7};
    must_change(trace, &change, NULL);
    assert_int_equal(change.changed, N);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        times[i] = (double)jobs->request_s[i] / (double)jobs->run_s[i];
        assert_true(times[i] >= 1 && times[i] <= 1 + F);
        sum += times[i];
    }
    assert_near(sum / N, 1 + F / 2, 4 * F / sqrt(12.0 * N));
    assert_int_equal(loom_sort(times, N, NULL), 0);
    /* The distance from U[1, 1 + F]; requests are rounded to 1 / 5000 of a runtime at most. */
    double distance = 0;
    for (size_t i = 0; i < N; i++) {
        double p = (times[i] - 1) / F;
        distance = fmax(distance, fmax(p - (double)i / N, (double)(i + 1) / N - p));
    }
    assert_true(loom_ks_p(distance, N) > 0.001);
    loom_trace_destroy(trace);
}

static bool same_requests(const struct loom_trace *a, const struct loom_trace *b)
{
    size_t n = loom_trace_count(a);
    return n == loom_trace_count(b) &&
           (n == 0 ||
            memcmp(loom_trace_jobs(a)->request_s, loom_trace_jobs(b)->request_s, n * 8) == 0);
}

static struct loom_trace *changed(struct loom_trace *trace, struct loom_request_change change)
{
    must_change(trace, &change, NULL);
    return trace;
}

static void uniform_goes_by_seed(void **state)
{
    (void)state;
    enum { N = 500 };
    struct loom_request_change change = {.how = LOOM_REQUESTS_UNIFORM, .factor = 2, .seed = 1};
    struct loom_trace *one = changed(runs(N), change), *same = changed(runs(N), change);
    assert_true(same_requests(one, same));
    change.replication = 1;
    struct loom_trace *other = changed(runs(N), change);
    assert_false(same_requests(one, other));
    change.replication = 0;
    change.seed = 2;
    struct loom_trace *another = changed(runs(N), change);
    assert_false(same_requests(one, another));
    loom_trace_destroy(one);
    loom_trace_destroy(same);
    loom_trace_destroy(other);
    loom_trace_destroy(another);
}

/* The rows of a trace from last to first. */
static struct loom_trace *backwards(const struct loom_trace *trace)
{
    struct loom_trace *turned = empty_trace();
    for (size_t i = loom_trace_count(trace); i-- > 0;)
        append(turned, loom_trace_job(trace, i));
    return turned;
}

static void assert_order_of_rows_is_nothing(struct loom_trace *trace,
                                            struct loom_request_change change)
{
    struct loom_trace *turned = backwards(trace);
    size_t n = loom_trace_count(trace);
    must_change(trace, &change, NULL);
    must_change(turned, &change, NULL);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(loom_trace_job(trace, i).request_s,
                         loom_trace_job(turned, n - 1 - i).request_s);
    loom_trace_destroy(turned);
    loom_trace_destroy(trace);
}

static void uniform_goes_by_submission(void **state)
{
    (void)state;
    assert_order_of_rows_is_nothing(runs(300),
                                    (struct loom_request_change){.how = LOOM_REQUESTS_UNIFORM,
                                                                 .factor = 3,
                                                                 .seed = 5});
}

/* Jobs generated without requests and given them later have what generate gives. */
static void as_generated(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("lublin2003", NULL);
    static const struct loom_request_change changes[] = {
        {.how = LOOM_REQUESTS_EXACT, .seed = 3, .replication = 2},
        {.how = LOOM_REQUESTS_FACTOR, .factor = 1.3, .seed = 3, .replication = 2},
        {.how = LOOM_REQUESTS_UNIFORM, .factor = 3, .seed = 3, .replication = 2},
    };
    for (size_t i = 0; i < COUNT(changes); i++) {
        struct loom_generate_options options = {.seed = 3,
                                                .replication = 2,
                                                .jobs = 400,
                                                .requests = changes[i].how,
                                                .request_factor = changes[i].factor};
        struct loom_trace *at_once = must_generate(model, &options);
        options.requests = LOOM_REQUESTS_NONE;
        struct loom_trace *later = changed(must_generate(model, &options), changes[i]);
        assert_true(same_requests(at_once, later));
        loom_trace_destroy(at_once);
        loom_trace_destroy(later);
    }
    loom_model_destroy(model);
}

/* ---- modal ----------------------------------------------------------------------------------- */

static struct loom_trace *trace_of(const struct log *log)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < log->jobs.n; i++)
        append_row(trace, (struct row){log->submit_s[i], log->run_s[i], log->procs[i],
                                       log->request_s[i], log->user[i], 1, 1});
    return trace;
}

static struct loom_trace *people_trace(size_t n, uint64_t seed)
{
    struct log log = people(n, seed);
    struct loom_trace *trace = trace_of(&log);
    log_free(&log);
    return trace;
}

static double share_of(const struct loom_jobs *jobs, int64_t request_s)
{
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        n += jobs->request_s[i] == request_s;
    return (double)n / (double)jobs->n;
}

static double share_too_short(const struct loom_jobs *jobs)
{
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        n += jobs->request_s[i] < jobs->run_s[i];
    return (double)n / (double)jobs->n;
}

/* No job of these runs longer than the longest request, so every value is one of the log's. */
static void modal_has_the_values_of_the_log(void **state)
{
    (void)state;
    enum { N = 5000 };
    struct loom_trace *log = people_trace(N, 1), *trace = people_trace(N, 1);
    struct loom_request_change change = {.how = LOOM_REQUESTS_MODAL, .seed = 3};
    must_change(trace, &change, NULL);
    assert_true(change.changed > N / 4 && change.changed <= N);
    const struct loom_jobs *was = loom_trace_jobs(log), *is = loom_trace_jobs(trace);
    static int64_t values[N];
    memcpy(values, was->request_s, sizeof values);
    loom_sort_int64(values, N);
    for (size_t i = 0; i < N; i++) {
        size_t at = loom_lower_bound(values, N, is->request_s[i]);
        assert_true(at < N && values[at] == is->request_s[i]);
        assert_true(is->request_s[i] >= 1);
    }
    assert_near(share_of(is, 64800), share_of(was, 64800), 0.02);
    assert_near(share_of(is, 3600), share_of(was, 3600), 0.02);
    assert_near(share_too_short(is), share_too_short(was), 0.02);
    loom_trace_destroy(trace);
    loom_trace_destroy(log);
}

static void modal_goes_by_seed(void **state)
{
    (void)state;
    enum { N = 1000 };
    struct loom_request_change change = {.how = LOOM_REQUESTS_MODAL, .seed = 3};
    struct loom_trace *one = changed(people_trace(N, 2), change);
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct loom_pool *pool = NULL;
        assert_int_equal(loom_pool_create(&pool, threads, NULL), 0);
        struct loom_trace *same = people_trace(N, 2);
        must_change(same, &change, pool);
        assert_true(same_requests(one, same));
        loom_trace_destroy(same);
        loom_pool_destroy(pool);
    }
    change.replication = 40;
    struct loom_trace *other = changed(people_trace(N, 2), change);
    assert_false(same_requests(one, other));
    loom_trace_destroy(other);
    loom_trace_destroy(one);
}

/* People submit at different times, so that the order of rows says nothing. */
static void modal_goes_by_submission(void **state)
{
    (void)state;
    assert_order_of_rows_is_nothing(people_trace(400, 4),
                                    (struct loom_request_change){.how = LOOM_REQUESTS_MODAL,
                                                                 .seed = 5});
}

static void modal_leaves_unknown_jobs(void **state)
{
    (void)state;
    enum { N = 300, NEVER = 12345 };
    struct log log = people(N, 3);
    for (size_t i = 0; i < N; i += 10) {
        log.run_s[i] = -1;
        log.request_s[i] = i % 20 ? NEVER : -1;
        log.procs[i + 1] = -1;
        log.request_s[i + 1] = NEVER;
        log.request_s[i + 2] = -1; /* gets one */
        log.user[i + 3] = -1;
    }
    struct loom_trace *trace = trace_of(&log);
    struct loom_job timeless = loom_trace_job(trace, 4);
    timeless.submit_s = -1;
    timeless.request_s = NEVER;
    append(trace, timeless);
    struct loom_request_change change = {.how = LOOM_REQUESTS_MODAL, .seed = 3};
    must_change(trace, &change, NULL);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i < N; i += 10) {
        assert_int_equal(jobs->request_s[i], i % 20 ? NEVER : -1);
        assert_int_equal(jobs->request_s[i + 1], NEVER);
        for (size_t k = i + 2; k < i + 10; k++)
            assert_true(jobs->request_s[k] >= 1 && jobs->request_s[k] != NEVER);
    }
    assert_int_equal(jobs->request_s[N], NEVER);
    /* It does not change what others draw. */
    struct loom_trace *without = changed(trace_of(&log), change);
    assert_memory_equal(jobs->request_s, loom_trace_jobs(without)->request_s, N * 8);
    loom_trace_destroy(without);
    loom_trace_destroy(trace);
    log_free(&log);
}

/* ---- odd traces and refusals ----------------------------------------------------------------- */

static void assert_refused(struct loom_trace *trace, struct loom_request_change change, int code,
                           const char *part)
{
    struct loom_error err = {0};
    struct loom_trace *before = backwards(trace), *same = backwards(before);
    assert_int_equal(loom_trace_change_requests(trace, &change, NULL, &err), code);
    if (!strstr(err.message, part))
        fail_msg("%s", err.message);
    assert_true(same_requests(trace, same));
    assert_string_equal(last_note(trace), "");
    loom_trace_destroy(before);
    loom_trace_destroy(same);
    loom_trace_destroy(trace);
}

static void refused(void **state)
{
    (void)state;
    assert_refused(people_trace(49, 1), (struct loom_request_change){.how = LOOM_REQUESTS_MODAL},
                   LOOM_EDATA, "at least 50 jobs");
    assert_refused(empty_trace(), (struct loom_request_change){.how = LOOM_REQUESTS_MODAL},
                   LOOM_EDATA, "at least 50 jobs");
    assert_refused(runs(3), (struct loom_request_change){.how = LOOM_REQUESTS_NONE}, LOOM_EUSAGE,
                   "there is no kind of estimates 'none'");
    assert_refused(runs(3), (struct loom_request_change){.how = LOOM_REQUESTS_FACTOR, .factor = .5},
                   LOOM_EUSAGE, "'f:0.5': f needs a factor from 1");
    struct loom_model *model = must_publish("uniform", NULL);
    struct loom_generate_options options = {.jobs = 9, .requests = LOOM_REQUESTS_REQUESTED};
    struct loom_trace *none = NULL;
    assert_int_equal(loom_model_generate(&none, model, &options, NULL, NULL), LOOM_EUSAGE);
    loom_model_destroy(model);
}

static void no_jobs(void **state)
{
    (void)state;
    struct loom_trace *trace = empty_trace();
    struct loom_request_change change = {.how = LOOM_REQUESTS_UNIFORM, .factor = 2};
    must_change(trace, &change, NULL);
    assert_int_equal(change.changed, 0);
    loom_trace_destroy(trace);
}

/* Numbers of all sizes: whatever is changed is at least 1. */
static void any_numbers(void **state)
{
    (void)state;
    enum { N = 2000 };
    static const struct loom_request_change changes[] = {
        {.how = LOOM_REQUESTS_EXACT},
        {.how = LOOM_REQUESTS_FACTOR, .factor = 1e6},
        {.how = LOOM_REQUESTS_UNIFORM, .factor = 1e6},
        {.how = LOOM_REQUESTS_MODAL},
    };
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "any jobs");
    for (size_t k = 0; k < COUNT(changes); k++) {
        struct loom_trace *trace = empty_trace();
        for (int64_t i = 0; i < N; i++) {
            struct loom_job job = any_job(&stream);
            job.submit_s = i / 3;
            append(trace, job);
        }
        struct loom_trace *turned = backwards(trace), *before = backwards(turned);
        struct loom_request_change change = changes[k];
        must_change(trace, &change, NULL);
        int64_t differ = 0;
        for (size_t i = 0; i < N; i++) {
            int64_t was_s = loom_trace_job(before, i).request_s;
            int64_t is_s = loom_trace_job(trace, i).request_s;
            assert_true(is_s >= 1 || is_s == was_s);
            differ += is_s != was_s;
        }
        assert_int_equal(change.changed, differ);
        assert_true(differ > 0);
        loom_trace_destroy(turned);
        loom_trace_destroy(before);
        loom_trace_destroy(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(words_refused),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(ranges_are_found_again),
        cmocka_unit_test(uniform_is_uniform),
        cmocka_unit_test(uniform_goes_by_seed),
        cmocka_unit_test(uniform_goes_by_submission),
        cmocka_unit_test(as_generated),
        cmocka_unit_test(modal_has_the_values_of_the_log),
        cmocka_unit_test(modal_goes_by_seed),
        cmocka_unit_test(modal_goes_by_submission),
        cmocka_unit_test(modal_leaves_unknown_jobs),
        cmocka_unit_test(refused),
        cmocka_unit_test(no_jobs),
        cmocka_unit_test(any_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
