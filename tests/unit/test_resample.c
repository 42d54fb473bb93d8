/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resampling of random logs: every job of the new workload is one of the log, users do what they
 * did in order and at the same intervals, and nothing is lost but what the end of the workload cuts
 * off. Jobs are identified by their used memory, which is their row.
 */
#include "resampled.h"

/* ---- users do what they did ------------------------------------------------------------------ */

static void check_job(const struct loom_trace *log, const struct loom_trace *made, size_t i,
                      const struct loom_person *person)
{
    struct loom_job new = loom_trace_job(made, i);
    struct loom_job old = loom_trace_job(log, row_of(loom_trace_jobs(made), i));
    assert_int_equal(old.user, person->original);
    assert_int_equal((new.submit_s - old.submit_s) % WEEK, 0);
    assert_int_equal(new.number, i + 1);
    new.number = old.number;
    new.submit_s = old.submit_s;
    new.user = old.user;
    assert_int_equal(new.preceding, -1);
    assert_int_equal(new.think_s, -1);
    old.preceding = old.think_s = -1;
    assert_same_job(new, old);
}

/* The next row of the same user, or the first one after the last. */
static size_t next_row(const struct loom_jobs *jobs, size_t row)
{
    size_t next = row;
    do
        next = (next + 1) % jobs->n;
    while (jobs->user[next] != jobs->user[row]);
    return next;
}

/* One person's jobs are the original's one after the other, at the same distances, round and
 * round. */
static void check_person(const struct loom_trace *log, const struct loom_resampled *made,
                         size_t index)
{
    const struct loom_jobs *jobs = loom_trace_jobs(made->trace), *old = loom_trace_jobs(log);
    const struct loom_person *person = &made->person[index];
    size_t before = SIZE_MAX, count = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->user[i] != (int32_t)index + 1)
            continue;
        check_job(log, made->trace, i, person);
        size_t row = row_of(jobs, i);
        if (before == SIZE_MAX) {
            assert_int_equal(jobs->submit_s[i], person->arrival_s);
        } else {
            size_t last = row_of(jobs, before);
            assert_int_equal(row, next_row(old, last));
            if (row > last) {
                assert_int_equal(jobs->submit_s[i] - jobs->submit_s[before],
                                 old->submit_s[row] - old->submit_s[last]);
            }
        }
        before = i;
        count++;
    }
    assert_int_equal(count, person->jobs);
    const char *name = loom_trace_name(made->trace, LOOM_USER, (int32_t)index + 1);
    char wanted[40];
    if (person->original == 3)
        snprintf(wanted, sizeof wanted, "carol#%u", person->copy);
    else
        snprintf(wanted, sizeof wanted, "%d#%u", person->original, person->copy);
    if (count > 0)
        assert_string_equal(name, wanted);
}

static void check_sorted(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 1; i < jobs->n; i++)
        assert_true(jobs->submit_s[i - 1] <= jobs->submit_s[i]);
}

static void test_users_do_what_they_did(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct loom_trace *log = random_log(seed, 64, 1);
        struct loom_resample_rule rule = loom_resample_rule();
        rule.population.load_factor = seed % 3 == 2 ? 2.5 : 1;
        rule.population.length_s = seed % 2 ? 120 * (int64_t)WEEK : 0;
        rule.population.start_active = seed % 4 == 3;
        struct loom_resampled *made = resample(log, &rule, seed);
        check_sorted(made->trace);
        for (size_t i = 0; i < made->persons; i++)
            check_person(log, made, i);
        const struct loom_jobs *jobs = loom_trace_jobs(made->trace);
        int64_t begin_s = loom_trace_jobs(log)->submit_s[0];
        assert_true(jobs->submit_s[0] >= begin_s);
        if (rule.population.length_s)
            assert_true(jobs->submit_s[jobs->n - 1] < begin_s + rule.population.length_s);
        assert_string_equal(loom_trace_directive(made->trace, "Acknowledge"), "somebody");
        assert_null(strstr(loom_trace_directive(made->trace, "Note"), "carol"));
        loom_resampled_destroy(made);
        loom_trace_destroy(log);
    }
}

/* Long-term users do all there is to do once in the time of the log, but for what the two ends of
 * the workload cut off or add. */
static void test_rounds_lose_nothing(void **state)
{
    (void)state;
    struct loom_trace *log = random_log(3, 64, 1);
    const struct loom_jobs *old = loom_trace_jobs(log);
    struct loom_resample_rule rule = loom_resample_rule();
    rule.population.length_s = 3 * (old->submit_s[old->n - 1] - old->submit_s[1] + 1);
    struct loom_resampled *made = resample(log, &rule, 0);
    double wanted = 0, done = 0;
    for (size_t i = 0; i < made->persons; i++) {
        uint32_t had = 0;
        for (size_t row = 0; row < old->n; row++)
            had += old->user[row] == made->person[i].original;
        if (made->person[i].kind != LOOM_LONG_TERM)
            continue;
        assert_true(made->person[i].jobs >= 2 * had && made->person[i].jobs <= 4 * had);
        wanted += 3.0 * had;
        done += made->person[i].jobs;
    }
    assert_true(fabs(done / wanted - 1) < 0.01);
    loom_resampled_destroy(made);
    loom_trace_destroy(log);
}

/* By the clock on the wall, every job keeps its time of the week in a zone with seasons, but for
 * those in the hour that clocks skip or repeat; and users keep their order. */
static void test_wall_clock(void **state)
{
    (void)state;
    struct loom_trace *log = random_log(12, 64, 1);
    struct loom_resample_rule rule = loom_resample_rule();
    struct loom_zone *zone = NULL;
    assert_int_equal(loom_trace_set_directive(log, "TimeZoneString", "Europe/Stockholm", NULL), 0);
    assert_int_equal(loom_zone_create(&zone, log, NULL, NULL), 0);
    size_t moved[2] = {0, 0}, all = 0;
    for (int wall = 0; wall < 2; wall++) {
        rule.wall_clock = wall;
        struct loom_resampled *made = resample(log, &rule, 0);
        const struct loom_jobs *jobs = loom_trace_jobs(made->trace), *old = loom_trace_jobs(log);
        check_sorted(made->trace);
        all = jobs->n;
        for (size_t i = 0; i < jobs->n; i++)
            moved[wall] += (loom_zone_local(zone, jobs->submit_s[i]) -
                            loom_zone_local(zone, old->submit_s[row_of(jobs, i)])) %
                               WEEK !=
                           0;
        for (size_t i = 0; i < made->persons; i++) {
            size_t before = SIZE_MAX;
            for (size_t k = 0; k < jobs->n; k++)
                if (jobs->user[k] == (int32_t)i + 1) {
                    size_t row = row_of(jobs, k);
                    assert_true(before == SIZE_MAX || row == next_row(old, before));
                    before = row;
                }
        }
        loom_resampled_destroy(made);
    }
    assert_true(moved[0] > all / 4);
    assert_true(moved[1] < all / 100);
    loom_zone_destroy(zone);
    loom_trace_destroy(log);
}

/* ---- fresh names ----------------------------------------------------------------------------- */

/* First copies of users keep their executables; k-th copies have new ones, one for each that the
 * log has, different from any other copy's. A group that all jobs share stays. */
static void test_fresh_names(void **state)
{
    enum { COPIES = 64, EXECUTABLES = 7 };
    (void)state;
    struct loom_trace *log = random_log(6, 64, 1);
    const struct loom_jobs *old = loom_trace_jobs(log);
    struct loom_resample_rule rule = loom_resample_rule();
    rule.population.load_factor = 4;
    rule.fresh_names = true;
    struct loom_resampled *made = resample(log, &rule, 0);
    const struct loom_jobs *jobs = loom_trace_jobs(made->trace);
    int32_t number[COPIES * EXECUTABLES];
    size_t renamed = 0;
    memset(number, -1, sizeof number);
    for (size_t i = 0; i < jobs->n; i++) {
        uint32_t copy = made->person[jobs->user[i] - 1].copy;
        int32_t was = old->executable[row_of(jobs, i)], is = jobs->executable[i];
        assert_true(copy >= 1 && copy < COPIES);
        assert_int_equal(jobs->group[i], 1);
        assert_true(copy > 1 ? is >= EXECUTABLES : is == was);
        int32_t *known = &number[copy * EXECUTABLES + (uint32_t)was];
        assert_true(*known < 0 || *known == is);
        *known = is;
        renamed += copy > 1;
    }
    assert_true(renamed > jobs->n / 4);
    for (int a = 0; a < COPIES * EXECUTABLES; a++)
        for (int b = 0; b < a; b++)
            assert_true(number[a] < 0 || number[a] != number[b]);
    loom_resampled_destroy(made);
    loom_trace_destroy(log);
}

/* ---- the log itself, shaken ------------------------------------------------------------------ */

static void test_shaking(void **state)
{
    (void)state;
    struct loom_trace *log = random_log(4, 64, 1);
    const struct loom_jobs *old = loom_trace_jobs(log);
    static const enum loom_shake levels[] = {LOOM_SHAKE_NONE, LOOM_SHAKE_JOB, LOOM_SHAKE_SESSION,
                                             LOOM_SHAKE_USER};
    for (size_t level = 0; level < COUNT(levels); level++) {
        struct loom_resample_rule rule = loom_resample_rule();
        rule.as_is = true;
        rule.shake = levels[level];
        rule.shake_s = 500;
        struct loom_resampled *made = resample(log, &rule, 0);
        const struct loom_jobs *jobs = loom_trace_jobs(made->trace);
        assert_int_equal(jobs->n, old->n - JOBS / 50); /* but those without user */
        check_sorted(made->trace);
        size_t moved = 0;
        int64_t by_user[64];
        for (size_t i = 0; i < 64; i++)
            by_user[i] = INT64_MAX;
        for (size_t i = 0; i < jobs->n; i++) {
            int64_t move_s = jobs->submit_s[i] - old->submit_s[row_of(jobs, i)];
            bool at_end = jobs->submit_s[i] == old->submit_s[0] ||
                          jobs->submit_s[i] == old->submit_s[old->n - 1];
            assert_true(move_s >= -500);
            assert_true(move_s <= 500 || levels[level] == LOOM_SHAKE_SESSION);
            moved += move_s != 0;
            int64_t *one = &by_user[old->user[row_of(jobs, i)]];
            if (levels[level] == LOOM_SHAKE_USER && !at_end) {
                assert_true(*one == INT64_MAX || *one == move_s);
                *one = move_s;
            }
        }
        assert_true(levels[level] == LOOM_SHAKE_NONE ? moved == 0 : moved > jobs->n / 2);
        loom_resampled_destroy(made);
    }
    loom_trace_destroy(log);
}

/* Moves are drawn from -2 to 2 s, both ends included and all about as often. */
static void test_shake_reaches_both_ends(void **state)
{
    (void)state;
    struct loom_trace *log = random_log(4, 64, 1);
    const struct loom_jobs *old = loom_trace_jobs(log);
    struct loom_resample_rule rule = loom_resample_rule();
    size_t moves[5] = {0};
    rule.as_is = true;
    rule.shake = LOOM_SHAKE_JOB;
    rule.shake_s = 2;
    struct loom_resampled *made = resample(log, &rule, 0);
    const struct loom_jobs *jobs = loom_trace_jobs(made->trace);
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t move_s = jobs->submit_s[i] - old->submit_s[row_of(jobs, i)];
        assert_true(move_s >= -2 && move_s <= 2);
        moves[move_s + 2]++;
    }
    for (size_t i = 0; i < COUNT(moves); i++)
        assert_true(moves[i] > jobs->n / 8 && moves[i] < jobs->n / 3);
    loom_resampled_destroy(made);
    loom_trace_destroy(log);
}

/* By session: jobs of a session keep their distances, and a user's jobs their order. */
static void test_sessions_shaken(void **state)
{
    (void)state;
    struct loom_trace *log = random_log(5, 64, 1);
    const struct loom_jobs *old = loom_trace_jobs(log);
    struct loom_resample_rule rule = loom_resample_rule();
    rule.as_is = true;
    rule.shake = LOOM_SHAKE_SESSION;
    rule.shake_s = 50000;
    struct loom_resampled *made = resample(log, &rule, 0);
    const struct loom_jobs *jobs = loom_trace_jobs(made->trace);
    for (size_t i = 0; i < made->persons; i++) {
        size_t before = SIZE_MAX;
        for (size_t k = 0; k < jobs->n; k++) {
            if (jobs->user[k] != (int32_t)i + 1)
                continue;
            if (before != SIZE_MAX) {
                size_t a = row_of(jobs, before), b = row_of(jobs, k);
                assert_true(a < b);
                bool at_end = jobs->submit_s[before] == old->submit_s[0] ||
                              jobs->submit_s[k] == old->submit_s[old->n - 1];
                if (old->submit_s[b] - old->submit_s[a] <= 3600 && !at_end)
                    assert_int_equal(jobs->submit_s[k] - jobs->submit_s[before],
                                     old->submit_s[b] - old->submit_s[a]);
            }
            before = k;
        }
    }
    loom_resampled_destroy(made);
    loom_trace_destroy(log);
}

/* ---- several logs ---------------------------------------------------------------------------- */

static void test_mixing(void **state)
{
    (void)state;
    struct loom_trace *logs[] = {random_log(7, 64, 1), random_log(8, 1000, 2)};
    struct loom_resample_rule rule = loom_resample_rule();
    struct loom_resampler *resampler = prepare((const struct loom_trace *const *)logs, 2, &rule);
    size_t jobs_of[2] = {0, 0};
    for (uint64_t replication = 0; replication < 10; replication++) {
        struct loom_resampled *made = make(resampler, replication);
        const struct loom_jobs *jobs = loom_trace_jobs(made->trace);
        check_sorted(made->trace);
        assert_int_equal(loom_trace_max_procs(made->trace), 64);
        for (size_t i = 0; i < jobs->n; i++) {
            const struct loom_person *person = &made->person[jobs->user[i] - 1];
            struct loom_job old = loom_trace_job(logs[person->log], row_of(jobs, i));
            assert_int_equal(old.user, person->original);
            assert_int_equal((jobs->submit_s[i] - old.submit_s) % WEEK, 0);
            assert_in_range(jobs->req_procs[i], 1, 64);
            assert_true(fabs(jobs->req_procs[i] - old.req_procs * (person->log ? 0.064 : 1)) <=
                        (person->log ? 24 : 0));
            /* groups 1 and 2 of the two logs must differ, and queues 1 to 3 as well */
            assert_int_equal(jobs->group[i], person->log ? 4 : 1);
            assert_int_equal(jobs->queue[i], old.queue + (person->log ? 4 : 0));
            jobs_of[person->log]++;
        }
        loom_resampled_destroy(made);
    }
    assert_true(jobs_of[0] > 6 * JOBS / 2 && jobs_of[1] > 6 * JOBS / 2);
    loom_resampler_destroy(resampler);
    loom_trace_destroy(logs[0]);
    loom_trace_destroy(logs[1]);
}

/* ---- classes and rare behaviours ------------------------------------------------------------- */

static void test_favours(void **state)
{
    (void)state;
    struct loom_trace *log = random_log(9, 64, 1);
    struct loom_error err = {0};
    struct loom_resampler *resampler = NULL;
    struct loom_favour favour = {"bussy", 2};
    struct loom_resample_rule rule = loom_resample_rule();
    rule.favours = &favour;
    rule.n_favours = 1;
    const struct loom_trace *one = log;
    assert_int_equal(loom_resampler_create(&resampler, &one, 1, &rule, &err), LOOM_EUSAGE);
    assert_non_null(strstr(err.message, "did you mean 'busy'"));
    /* The long jobs are odd users', who are more than a third. */
    double share[2] = {0, 0};
    for (int high = 0; high < 2; high++) {
        favour = (struct loom_favour){"long", high ? 10 : 0.1};
        for (uint64_t replication = 0; replication < 10; replication++) {
            struct loom_resampled *made = resample(log, &rule, replication);
            for (size_t i = 0; i < made->persons; i++)
                share[high] += made->person[i].original % 2 / (10.0 * (double)made->persons);
            loom_resampled_destroy(made);
        }
    }
    assert_true(share[1] > 0.75 && share[0] < 0.55);
    loom_trace_destroy(log);
}

static void test_rare(void **state)
{
    (void)state;
    struct loom_trace *log = random_log(10, 64, 1);
    const struct loom_jobs *old = loom_trace_jobs(log);
    const struct loom_rare rare = {4, 10 * WEEK, 14 * WEEK};
    struct loom_resample_rule rule = loom_resample_rule();
    rule.rare = &rare;
    rule.n_rare = 1;
    for (int often = 0; often < 2; often++) {
        rule.population.rare_per_week = often ? 0.25 : 0;
        struct loom_resampled *made = resample(log, &rule, 1);
        const struct loom_jobs *jobs = loom_trace_jobs(made->trace);
        size_t seen = 0;
        for (size_t i = 0; i < jobs->n; i++) {
            size_t row = row_of(jobs, i);
            bool is_rare = old->user[row] == 4 && old->submit_s[row] >= rare.from_s &&
                           old->submit_s[row] <= rare.to_s;
            const struct loom_person *person = &made->person[jobs->user[i] - 1];
            assert_int_equal(person->kind == LOOM_RARE, is_rare);
            assert_int_equal(person->original, old->user[row]);
            assert_int_equal(is_rare,
                             strncmp(loom_trace_name(made->trace, LOOM_USER, jobs->user[i]),
                                     "rare-4#", 7) == 0);
            seen += is_rare;
        }
        assert_int_equal(seen > 0, often);
        loom_resampled_destroy(made);
    }
    loom_trace_destroy(log);
}

/* ---- logs that do not serve ------------------------------------------------------------------ */

static void test_bad_logs(void **state)
{
    (void)state;
    struct loom_resampler *resampler = NULL;
    struct loom_resampled *made = NULL;
    struct loom_error err = {0};
    struct loom_resample_rule rule = loom_resample_rule();
    struct loom_trace *log = empty_trace();
    const struct loom_trace *one = log;
    assert_int_equal(loom_resampler_create(&resampler, &one, 1, &rule, &err), LOOM_EDATA);
    struct loom_job job = loom_job_unknown();
    job.submit_s = 5;
    append(log, job);
    assert_int_equal(loom_resampler_create(&resampler, &one, 1, &rule, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "has a user ID"));
    for (int i = 0; i < 30; i++) {
        job.user = i % 3;
        job.submit_s = 1000 * i;
        append(log, job);
    }
    assert_int_equal(loom_resampler_create(&resampler, &one, 1, &rule, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "size of its machine"));
    assert_string_equal(err.field, "procs");
    rule.procs = 8;
    assert_int_equal(loom_resampler_create(&resampler, &one, 1, &rule, &err), 0);
    loom_resampler_destroy(resampler);
    rule.procs = 0;
    assert_int_equal(loom_trace_set_directive(log, "MaxProcs", "8", NULL), 0);
    assert_int_equal(loom_resampler_create(&resampler, &one, 1, &rule, &err), 0);
    assert_int_equal(loom_resample(&made, resampler, 1, 0, &err), LOOM_EDATA);
    loom_resampler_destroy(resampler);
    /* With other limits even a day will do. */
    rule.pools.long_term_s = rule.pools.edge_s = 0;
    assert_int_equal(loom_resampler_create(&resampler, &one, 1, &rule, &err), 0);
    assert_int_equal(loom_resample(&made, resampler, 1, 0, &err), 0);
    assert_int_equal(loom_trace_count(made->trace), 30);
    loom_resampled_destroy(made);
    loom_resampler_destroy(resampler);
    loom_trace_destroy(log);
}

/* Without MaxProcs, a log's machine is what its jobs use at once, unless the rule gives it. */
static void test_size_of_jobs(void **state)
{
    (void)state;
    struct loom_resample_rule rule = loom_resample_rule();
    struct loom_trace *log = empty_trace();
    const struct loom_trace *one = log;
    rule.pools.long_term_s = rule.pools.edge_s = 0;
    for (int i = 0; i < 30; i++) {
        struct loom_job job = loom_job_unknown();
        job.user = i % 3;
        job.submit_s = 1000 * i;
        job.wait_s = 0;
        job.run_s = 2000;
        job.alloc_procs = 4;
        append(log, job);
    }
    for (int64_t procs = 0; procs <= 64; procs += 64) {
        struct loom_resampler *resampler = NULL;
        struct loom_resampled *made = NULL;
        rule.procs = procs;
        assert_int_equal(loom_resampler_create(&resampler, &one, 1, &rule, NULL), 0);
        assert_int_equal(loom_resample(&made, resampler, 1, 0, NULL), 0);
        assert_int_equal(loom_trace_machine(made->trace)->max_procs, procs > 0 ? procs : 8);
        assert_int_equal(loom_trace_jobs(made->trace)->alloc_procs[0], 4);
        loom_resampled_destroy(made);
        loom_resampler_destroy(resampler);
    }
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_users_do_what_they_did),
        cmocka_unit_test(test_rounds_lose_nothing),
        cmocka_unit_test(test_wall_clock),
        cmocka_unit_test(test_fresh_names),
        cmocka_unit_test(test_shaking),
        cmocka_unit_test(test_sessions_shaken),
        cmocka_unit_test(test_shake_reaches_both_ends),
        cmocka_unit_test(test_mixing),
        cmocka_unit_test(test_favours),
        cmocka_unit_test(test_rare),
        cmocka_unit_test(test_bad_logs),
        cmocka_unit_test(test_size_of_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
