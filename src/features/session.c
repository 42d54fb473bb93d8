/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions and batches of all users, found by each of the five methods with the limits of the texts
 * (Zakay, chapter 2). Numbers of jobs and lengths are for the method that the text settles on, by
 * arrivals: a session lasts from its first to its last submission.
 */
#include "features/measure.h"

#include <stdio.h>

/* Ends that are not known part sessions where they should not be parted, so few may be unknown. */
enum { MOST_UNKNOWN_PERCENT = 5 };

enum knowledge { NONE_KNOWN, TOO_FEW_KNOWN, ENOUGH_KNOWN };

/* Which of the jobs with a user ID are in sessions. */
static enum knowledge knowledge_of(const int64_t *values, const struct loom_workload *jobs)
{
    size_t all = 0, known = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        all += jobs->user[i] >= 0;
        known += jobs->user[i] >= 0 && values[i] >= 0;
    }
    if (known == 0)
        return NONE_KNOWN;
    return (all - known) * 100 > all * MOST_UNKNOWN_PERCENT ? TOO_FEW_KNOWN : ENOUGH_KNOWN;
}

/* Why it is not known when jobs ended; NULL if it is. */
static const char *why_no_ends(const struct loom_workload *jobs)
{
    static const char *const waits[] = {
        "no job has a recorded wait, so end times are unknown",
        "more than 5 % of the jobs have no recorded wait, so end times are unknown",
        NULL,
    };
    static const char *const runtimes[] = {
        "no job has a runtime, so end times are unknown",
        "more than 5 % of the jobs have no runtime, so end times are unknown",
        NULL,
    };
    const char *reason = waits[knowledge_of(jobs->wait_s, jobs)];
    return reason ? reason : runtimes[knowledge_of(jobs->run_s, jobs)];
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void put_of_method(struct loom_results *results, enum loom_session_method method,
                          const char *what, size_t count)
{
    char key[64];
    snprintf(key, sizeof key, "session.%s.%s", loom_session_method_name(method), what);
    loom_put(results, key, (double)count);
}

static size_t single_runs(const uint32_t *first, size_t count)
{
    size_t single = 0;
    for (size_t i = 0; i < count; i++)
        single += first[i + 1] - first[i] == 1;
    return single;
}

static void put_sizes(struct loom_results *results, const struct loom_sessions *sessions,
                      size_t jobs)
{
    double count = (double)sessions->count, length_s = 0;
    for (size_t i = 0; i < sessions->count; i++)
        length_s += (double)sessions->length_s[i];
    loom_put(results, "session.arrival.jobs_mean", (double)jobs / count);
    loom_put(results, "session.arrival.length_mean_s", length_s / count);
    loom_put(results, "session.arrival.single_job_fraction",
             (double)single_runs(sessions->first, sessions->count) / count);
}

/* Without ends of jobs (ends is false) there are no batches. */
static int measure_sessions(struct loom_results *results, const struct loom_users *users,
                            enum loom_session_method method, bool ends, struct loom_error *err)
{
    const struct loom_definitions *definitions = loom_results_definitions(results);
    struct loom_session_rule rule = loom_definitions_rule(definitions, method);
    struct loom_sessions *sessions = NULL;
    int rc = loom_sessions_create(&sessions, users, &rule, err);
    if (rc)
        return rc;
    put_of_method(results, method, "count", sessions->count);
    if (ends)
        put_of_method(results, method, "batches", sessions->batches);
    if (method == LOOM_SESSION_ARRIVAL)
        put_sizes(results, sessions, users->n);
    if (method == definitions->session_method && ends)
        loom_put(results, "batch.single_job_fraction",
                 (double)single_runs(sessions->batch_first, sessions->batches) /
                     (double)sessions->batches);
    loom_sessions_destroy(sessions);
    return 0;
}

/* ---- the family ------------------------------------------------------------------------------ */

static int session_measure(const struct loom_workload *jobs, struct loom_results *results,
                           const struct loom_users *users, struct loom_error *err)
{
    if (users->count == 0) {
        loom_put_rest_missing(results, "no job has a user ID");
        return 0;
    }
    const char *no_ends = why_no_ends(jobs);
    int rc = measure_sessions(results, users, LOOM_SESSION_ARRIVAL, !no_ends, err);
    if (no_ends)
        loom_put_rest_missing(results, no_ends);
    for (int method = LOOM_SESSION_LAST; !no_ends && method < LOOM_SESSION_METHODS && !rc; method++)
        rc = measure_sessions(results, users, (enum loom_session_method)method, true, err);
    return rc;
}

static int session_compute(const struct loom_workload *jobs, struct loom_results *results,
                           struct loom_error *err)
{
    struct loom_activity activity = loom_workload_activity(jobs);
    struct loom_users *users = NULL;
    int rc = loom_users_create(&users, &activity, err);
    if (!rc)
        rc = session_measure(jobs, results, users, err);
    loom_users_destroy(users);
    return rc;
}

static const struct loom_feature_info keys[] = {
    {"session.arrival.count", "sessions",
     "sessions, parted by gaps in a user's submissions (default: more than 60 minutes)",
     "Zakay 2017, ch. 2"},
    {"session.arrival.batches", "batches",
     "batches of overlapping jobs in the sessions found by arrivals", "Zakay 2017, ch. 2"},
    {"session.last.count", "sessions",
     "sessions, parted by gaps after the end of the job submitted last (default: more than 20 "
     "minutes)",
     "Zakay 2017, ch. 2"},
    {"session.last.batches", "batches",
     "batches in those sessions, each as long as the job submitted last", "Zakay 2017, ch. 2"},
    {"session.max.count", "sessions",
     "sessions, parted by gaps after the end of all jobs submitted before (default: more than 20 "
     "minutes)",
     "Zakay 2017, ch. 2"},
    {"session.max.batches", "batches", "batches of overlapping jobs in those sessions",
     "Zakay 2017, ch. 2"},
    {"session.last_cut.count", "sessions",
     "sessions as by the end of the job submitted last, but no job counts as longer than the cut "
     "(default 60 minutes)",
     "Zakay 2017, ch. 2"},
    {"session.last_cut.batches", "batches", "batches in those sessions", "Zakay 2017, ch. 2"},
    {"session.max_cut.count", "sessions",
     "sessions as by the end of all jobs submitted before, but no job counts as longer than the "
     "cut "
     "(default 60 minutes)",
     "Zakay 2017, ch. 2"},
    {"session.max_cut.batches", "batches", "batches in those sessions", "Zakay 2017, ch. 2"},
    {"session.arrival.jobs_mean", "jobs", "mean number of jobs in a session found by arrivals",
     "Zakay 2017, ch. 2"},
    {"session.arrival.length_mean_s", "s",
     "mean time from the first to the last submission of a session found by arrivals",
     "Zakay 2017, ch. 2"},
    {"session.arrival.single_job_fraction", "",
     "share of the sessions found by arrivals that have one job only", "Zakay 2017, ch. 2"},
    {"batch.single_job_fraction", "",
     "share of the batches in sessions found by arrivals that have one job only",
     "Zakay 2017, ch. 2"},
    {0},
};

const struct loom_family_ops loom_family_session = {
    .name = "session",
    .keys = keys,
    .compute = session_compute,
};
