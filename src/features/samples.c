/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions for the comparison of traces, of jobs, of bags of tasks (2010 paper, figure 5; Minh
 * 2012, figure 5.1) and of users (Zakay chapter 3, figure 4), and the place of arrivals in the
 * week.
 *
 * Sizes are of all bags, single jobs included; runtimes are means over the jobs of bags of at least
 * two (Minh 2012, 5.2.1). Sessions of users are parted by arrivals. First and last arrivals are
 * counted from the first submission of the log.
 */
#include "base/civil.h"
#include "features/compare.h"

#include <stdlib.h>
#include <string.h>
#include <workloom/stats.h>
#include <workloom/users.h>

/* In this order: values of jobs, of arrivals in the week, of bags, of users. */
enum { JOB_VALUES = 5, WEEK = JOB_VALUES, BAG_SIZE, BAG_RUNTIME, USER };
enum { USER_VALUES = LOOM_DISTRIBUTIONS - USER };

static const struct loom_feature_info infos[] = {
    {"interarrival", "s", "times between successive submits", "Minh 2012, figure 4.6"},
    {"runtime", "s", "runtimes", "Minh 2012, figure 5.2"},
    {"procs", "processors", "processors of jobs", "Minh 2012, figure 5.2"},
    {"work", "s", "processor-seconds of jobs", "Lublin 2003, 5.3"},
    {"estimate", "s", "estimates of runtimes", "Minh 2012, 8"},
    {"week", "s", "arrivals in the week, from Monday 0:00 local time",
     "Zakay 2017, ch. 3, figure 4"},
    {"bag.size", "jobs", "sizes of bags of tasks, single jobs included", "Minh 2012, figure 5.1"},
    {"bag.runtime", "s", "mean runtimes of bags of at least two jobs", "Minh 2012, figure 5.1"},
    {"user.jobs", "jobs", "jobs of each user", "Zakay 2017, ch. 3, figure 4"},
    {"user.sessions", "sessions", "sessions of each user", "Zakay 2017, ch. 3, figure 4"},
    {"user.session_length", "s", "mean session length of each user", "Zakay 2017, ch. 3, figure 4"},
    {"user.work", "s", "processor-seconds of each user", "Zakay 2017, ch. 3, figure 4"},
    {"user.first", "s", "first submits of users", "Zakay 2017, ch. 3, figure 4"},
    {"user.last", "s", "last submits of users", "Zakay 2017, ch. 3, figure 4"},
    {"user.period", "s", "times from first to last submits of users",
     "Zakay 2017, ch. 3, figure 4"},
};
_Static_assert(sizeof infos / sizeof *infos == LOOM_DISTRIBUTIONS,
               "features.h says how many distributions there are");

const struct loom_feature_info *loom_distribution_at(size_t index)
{
    return index < LOOM_DISTRIBUTIONS ? &infos[index] : NULL;
}

static int samples_reserve(struct loom_sorted_sample *sample, size_t n, struct loom_error *err)
{
    sample->sorted = malloc((n + 1) * sizeof *sample->sorted);
    return sample->sorted ? 0 : loom_fail_memory(err);
}

static void sample_add(struct loom_sorted_sample *sample, double value)
{
    sample->sorted[sample->n++] = value;
}

/* ---- arrivals in the week -------------------------------------------------------------------- */

enum { DAYS = 7 };

static int add_week(struct loom_sorted_sample *sample, const struct loom_trace *trace,
                    struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_zone *zone = NULL;
    if (loom_trace_machine(trace)->unix_start_s <= 0)
        return 0;
    int rc = loom_zone_create(&zone, trace, NULL, err);
    if (!rc)
        rc = samples_reserve(sample, jobs->n, err);
    for (size_t i = 0; i < jobs->n && !rc; i++) {
        int64_t second;
        if (jobs->submit_s[i] == -1)
            continue;
        int64_t day = loom_civil_day(loom_zone_local(zone, jobs->submit_s[i]), &second);
        int weekday = (loom_civil_weekday(day) + 6) % DAYS;
        sample_add(sample, (double)weekday * LOOM_DAY_S + (double)second);
    }
    loom_zone_destroy(zone);
    return rc;
}

/* ---- bags ------------------------------------------------------------------------------------ */

static void add_bag(struct loom_samples *samples, const struct loom_jobs *jobs,
                    const struct loom_bags *bags, size_t bag)
{
    double sum = 0, known = 0;
    sample_add(&samples->of[BAG_SIZE], (double)loom_bag_size(bags, bag));
    for (size_t i = bags->first[bag]; i < bags->first[bag + 1]; i++)
        if (jobs->run_s[bags->row[i]] >= 0) {
            sum += (double)jobs->run_s[bags->row[i]];
            known++;
        }
    if (loom_bag_size(bags, bag) >= 2 && known > 0)
        sample_add(&samples->of[BAG_RUNTIME], sum / known);
}

static int add_bags(struct loom_samples *samples, const struct loom_trace *trace,
                    const struct loom_definitions *definitions, struct loom_error *err)
{
    struct loom_bags *bags = NULL;
    int rc = loom_bags_create(&bags, trace, definitions->bag_gap_s, err);
    if (!rc)
        rc = samples_reserve(&samples->of[BAG_SIZE], bags->count, err);
    if (!rc)
        rc = samples_reserve(&samples->of[BAG_RUNTIME], bags->count, err);
    for (size_t b = 0; !rc && b < bags->count; b++)
        add_bag(samples, loom_trace_jobs(trace), bags, b);
    loom_bags_destroy(bags);
    return rc;
}

/* ---- users ----------------------------------------------------------------------------------- */

static double sample_work(const struct loom_jobs *jobs, const struct loom_users *users, size_t user)
{
    double work = 0;
    for (size_t i = users->first[user]; i < users->first[user + 1]; i++) {
        uint32_t row = users->job[i];
        int32_t procs = loom_job_procs(jobs, row);
        if (jobs->run_s[row] >= 0 && procs > 0)
            work += (double)jobs->run_s[row] * procs;
    }
    return work;
}

static void samples_add_user(struct loom_sorted_sample *samples, const struct loom_jobs *jobs,
                             const struct loom_users *users, const struct loom_sessions *sessions,
                             size_t user)
{
    uint32_t first = sessions->user_session[user], end = sessions->user_session[user + 1];
    double length_s = 0;
    for (uint32_t s = first; s < end; s++)
        length_s += (double)sessions->length_s[s];
    int64_t begin_s = loom_user_begin(users, user), end_s = loom_user_end(users, user);
    const double values[USER_VALUES] = {
        (double)(users->first[user + 1] - users->first[user]),
        (double)(end - first),
        length_s / (double)(end - first),
        sample_work(jobs, users, user),
        (double)begin_s - (double)users->begin_s,
        (double)end_s - (double)users->begin_s,
        (double)end_s - (double)begin_s,
    };
    for (size_t i = 0; i < USER_VALUES; i++)
        sample_add(&samples[i], values[i]);
}

static int add_users(struct loom_samples *samples, const struct loom_trace *trace,
                     const struct loom_definitions *definitions, struct loom_error *err)
{
    struct loom_activity activity = loom_trace_activity(trace);
    struct loom_session_rule rule = loom_definitions_rule(definitions, definitions->session_method);
    struct loom_users *users = NULL;
    struct loom_sessions *sessions = NULL;
    int rc = loom_users_create(&users, &activity, err);
    if (!rc)
        rc = loom_sessions_create(&sessions, users, &rule, err);
    for (size_t i = 0; i < USER_VALUES && !rc; i++)
        rc = samples_reserve(&samples->of[USER + i], users->count, err);
    for (size_t u = 0; !rc && u < users->count; u++)
        samples_add_user(&samples->of[USER], loom_trace_jobs(trace), users, sessions, u);
    loom_sessions_destroy(sessions);
    loom_users_destroy(users);
    return rc;
}

/* Without users, nothing is known of bags either. */
static bool knows_users(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->user[i] >= 0)
            return true;
    return false;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int samples_fill(struct loom_samples *samples, const struct loom_trace *trace,
                        const struct loom_definitions *definitions, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < JOB_VALUES && !rc; i++)
        rc = loom_values_of(&samples->of[i].sorted, &samples->of[i].n, trace, infos[i].key, err);
    if (!rc)
        rc = add_week(&samples->of[WEEK], trace, err);
    if (!rc && knows_users(trace)) {
        rc = add_bags(samples, trace, definitions, err);
        if (!rc)
            rc = add_users(samples, trace, definitions, err);
    }
    for (size_t i = 0; i < LOOM_DISTRIBUTIONS && !rc; i++)
        if (samples->of[i].n > 0)
            rc = loom_sort(samples->of[i].sorted, samples->of[i].n, err);
    return rc;
}

int loom_samples_create(struct loom_samples *out, const struct loom_trace *trace,
                        const struct loom_definitions *definitions, struct loom_error *err)
{
    *out = (struct loom_samples){0};
    int rc = samples_fill(out, trace, definitions, err);
    if (rc)
        loom_samples_free(out);
    return rc;
}

void loom_samples_free(struct loom_samples *samples)
{
    for (size_t i = 0; i < LOOM_DISTRIBUTIONS; i++)
        free(samples->of[i].sorted);
    *samples = (struct loom_samples){0};
}
