/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The people behind the jobs of a simulation: their options, and what became of them. */
#include "simulate_users.h"
#include "resample_options.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct loom_param people_params[] = {
    {.name = "users",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "LIST",
     .help = "as 3-7,ann,bob*; left out after '!'; or 'resampled'"},
    {.name = "feedback",
     .type = LOOM_PARAM_TEXT,
     .metavar = "BEHAVIOUR",
     .help = "how users react to service ('workloom help feedback')"},
    {.name = "session-gap",
     .type = LOOM_PARAM_REAL,
     .max = 1e6,
     .value = "60",
     .metavar = "MINUTES",
     .help = "idle time that ends a session"},
    {.name = "weeks",
     .type = LOOM_PARAM_REAL,
     .min = 0.001,
     .max = 1e5,
     .metavar = "N",
     .help = "length of a resampled workload (default: the log's)"},
    {.name = "load-factor",
     .type = LOOM_PARAM_REAL,
     .min = 1e-3,
     .max = 1e3,
     .value = "1",
     .metavar = "F",
     .help = "scale the number of resampled users"},
    {.name = "long-term-weeks",
     .type = LOOM_PARAM_REAL,
     .max = 1e5,
     .value = "12",
     .metavar = "N",
     .help = "activity of a long-term user"},
    {.name = "edge-weeks",
     .type = LOOM_PARAM_REAL,
     .max = 1e5,
     .value = "4",
     .metavar = "N",
     .help = "drop temporary users only seen near an end"},
    {.name = "stationary", .type = LOOM_PARAM_FLAG, .help = "long-term users may start in a pause"},
    {.name = "pause",
     .type = LOOM_PARAM_FLAG,
     .help = "long-term users pause before they start again"},
    {.name = "poor",
     .type = LOOM_PARAM_REAL,
     .min = 1,
     .max = INFINITY,
     .value = "10",
     .metavar = "SLOWDOWN",
     .help = "bounded slowdown of poor service"},
    {.name = "abort",
     .type = LOOM_PARAM_REAL,
     .max = 1,
     .value = "0",
     .metavar = "P",
     .help = "probability that it ends a session"},
    {.name = "abandon",
     .type = LOOM_PARAM_REAL,
     .max = 1,
     .value = "0",
     .metavar = "P",
     .help = "probability that it drives a user away"},
    {.name = "replication",
     .type = LOOM_PARAM_INT,
     .max = 0x1p53,
     .value = "0",
     .metavar = "N",
     .help = "number of the replication"},
    SEED_PARAM("random seed"),
    {.name = NULL},
};

static const char resampled_word[] = "resampled";

static bool is_resampled(const struct invocation *call)
{
    for (size_t i = 0; i < loom_params_count(call->params, "users"); i++)
        if (strcmp(loom_params_item(call->params, "users", i), resampled_word) == 0)
            return true;
    return false;
}

bool has_new_users(const struct simulation *of)
{
    return is_resampled(of->call);
}

bool has_people(const struct simulation *of)
{
    return loom_params_given(of->call->params, "feedback") || is_resampled(of->call);
}

double load_offered(const struct simulation *of)
{
    double offered = of->platform ? of->whole.load : of->metrics.load_offered;
    return of->load.asked > 0 && !has_people(of) ? of->load.after : offered;
}

/* ---- before the run -------------------------------------------------------------------------- */

static int needs(const struct invocation *call, bool there, const char *what,
                 const char *const *options, struct loom_error *err)
{
    for (; *options && !there; options++)
        if (loom_params_given(call->params, *options))
            return loom_fail(err, LOOM_EUSAGE, "--%s says nothing without %s", *options, what);
    return 0;
}

int check_people(const struct invocation *call, struct loom_error *err)
{
    static const char *const of_population[] = {"weeks",      "load-factor",   "long-term-weeks",
                                                "edge-weeks", "stationary",    "pause",
                                                "rare",       "rare-per-week", NULL};
    static const char *const of_feedback[] = {"session-gap", "poor", "abort", "abandon", NULL};
    const char *behaviour = loom_params_text(call->params, "feedback");
    bool resampled = is_resampled(call);
    if ((behaviour || resampled) && loom_params_given(call->params, "explain"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--explain does not go with --feedback or a resampled population: write "
                         "the schedule with -o and explain that");
    int rc = needs(call, resampled, "--users resampled", of_population, err);
    if (!rc)
        rc = needs(call, behaviour != NULL, "--feedback", of_feedback, err);
    if (!rc)
        rc = check_rare(call->params, err);
    if (!rc && behaviour)
        rc = loom_behaviour_check(behaviour, err);
    if (rc && rc != LOOM_ENOMEM)
        err->code = LOOM_EUSAGE;
    return rc;
}

/* The values of one option, all but that word. */
static int copy_values(struct loom_params *to, const struct loom_params *from, const char *name,
                       struct loom_error *err)
{
    int rc = 0;
    if (!loom_params_given(from, name))
        return 0;
    for (size_t i = 0; i < loom_params_count(from, name) && !rc; i++) {
        const char *value = loom_params_item(from, name, i);
        if (strcmp(value, resampled_word) != 0)
            rc = loom_params_set(to, name, value, err);
    }
    return rc;
}

/* "resample" and "Resampled" are slips, where no user is called so. */
static int refuse_slips(const struct simulation *of, struct loom_error *err)
{
    const struct loom_params *params = of->call->params;
    for (size_t i = 0; i < loom_params_count(params, "users"); i++) {
        const char *name = loom_params_item(params, "users", i);
        bool alike = strcasecmp(name, resampled_word) == 0 || strcasecmp(name, "resample") == 0;
        if (alike && loom_trace_number(of->trace, LOOM_USER, name) < 0)
            return loom_fail(err, LOOM_EUSAGE,
                             "--users: there is no user '%s'; did you mean --users %s?", name,
                             resampled_word);
    }
    return 0;
}

int select_people(struct simulation *of, struct loom_error *err)
{
    const struct loom_param *const lists[] = {loom_select_params, NULL};
    struct invocation without = *of->call;
    if (!is_resampled(of->call)) {
        int slip = refuse_slips(of, err);
        return slip ? slip : apply_selection(of->trace, of->call, &of->left_out, err);
    }
    int rc = loom_params_create(&without.params, lists, err);
    if (rc)
        return rc;
    rc = loom_params_set(without.params, "select", loom_params_text(of->call->params, "select"),
                         err);
    for (const struct loom_param *param = loom_select_params + 2; param->name && !rc; param++)
        rc = copy_values(without.params, of->call->params, param->name, err);
    if (!rc)
        rc = apply_selection(of->trace, &without, &of->left_out, err);
    loom_params_destroy(without.params);
    return rc;
}

/* --procs is the machine here. */
const char *describe_selection(char *buf, size_t size, const struct invocation *call)
{
    const struct loom_params *params = call->params;
    size_t used = 0;
    for (const struct loom_param *param = loom_select_params; param->name; param++) {
        if (strcmp(param->name, "procs") == 0 || !loom_params_given(params, param->name))
            continue;
        for (size_t i = 0; i < loom_params_count(params, param->name) && used < size; i++) {
            const char *value = loom_params_item(params, param->name, i);
            if (strcmp(value, resampled_word) != 0)
                used += (size_t)snprintf(buf + used, size - used, "%s--%s %s", used ? " " : "",
                                         param->name, value);
        }
    }
    return used ? buf : NULL;
}

int open_people(struct simulation *of, struct loom_error *err)
{
    const struct loom_params *params = of->call->params;
    struct loom_population_rule population = loom_population_rule();
    const char *behaviour = loom_params_text(params, "feedback");
    bool resampled = is_resampled(of->call);
    if (!behaviour && !resampled)
        return 0;
    struct loom_user_rule pools = loom_user_rule();
    struct loom_session_rule sessions = loom_session_rule(LOOM_SESSION_ARRIVAL);
    sessions.threshold_s = (int64_t)round(loom_params_real(params, "session-gap") * 60);
    pools.long_term_s = weeks_s(params, "long-term-weeks");
    pools.edge_s = weeks_s(params, "edge-weeks");
    if (loom_params_given(params, "weeks"))
        population.length_s = weeks_s(params, "weeks");
    population.load_factor = loom_params_real(params, "load-factor");
    population.stationary = loom_params_flag(params, "stationary");
    population.rare_per_week = loom_params_real(params, "rare-per-week");
    struct loom_rare *rare = NULL;
    size_t n_rare = 0;
    int rc = take_rare(&rare, &n_rare, of->call, of->trace, err);
    const struct loom_feedback_options options = {
        .behaviour = behaviour,
        .population = resampled ? &population : NULL,
        .pools = &pools,
        .sessions = &sessions,
        .rare = rare,
        .n_rare = n_rare,
        .pauses = loom_params_flag(params, "pause"),
        .poor = loom_params_real(params, "poor"),
        .abort = loom_params_real(params, "abort"),
        .abandon = loom_params_real(params, "abandon"),
        .seed = seed_of(of->call),
    };
    if (!rc)
        rc = loom_feedback_create(&of->people, of->trace, &options, err);
    free(rare);
    return rc;
}

/* Jobs of which the log does not tell what users go by. */
struct gaps {
    size_t users, waits;
};

static struct gaps find_gaps(const struct loom_jobs *jobs)
{
    struct gaps gaps = {0};
    for (size_t row = 0; row < jobs->n; row++) {
        gaps.users += jobs->user[row] < 0;
        gaps.waits += jobs->user[row] >= 0 && jobs->wait_s[row] < 0;
    }
    return gaps;
}

void tell_gaps(const struct simulation *of)
{
    const struct invocation *call = of->call;
    bool reacts = loom_params_given(call->params, "feedback"), resampled = is_resampled(call);
    if (!reacts && !resampled)
        return;
    struct gaps gaps = find_gaps(loom_trace_jobs(of->trace));
    if (gaps.users == loom_trace_count(of->trace))
        return; /* which is refused */
    if (resampled && gaps.users > 0)
        say(call, "left out %zu %s of unknown users", gaps.users, gaps.users == 1 ? "job" : "jobs");
    else if (reacts && gaps.users > 0)
        say(call, "%zu %s when the log says", gaps.users,
            gaps.users == 1 ? "job of an unknown user comes" : "jobs of unknown users come");
    if (reacts && gaps.waits > 0)
        say(call,
            "the wait of %zu %s is not known and counts as none: users seem to depend on more "
            "jobs, and to think for longer, than they did",
            gaps.waits, gaps.waits == 1 ? "job" : "jobs");
}

/* ---- results --------------------------------------------------------------------------------- */

int measure_people(struct simulation *of, struct loom_error *err)
{
    if (!of->people)
        return 0;
    of->reactions = *loom_feedback_counts(of->people);
    int rc =
        loom_sim_rates(&of->submitting, of->sim, loom_feedback_window(of->people, of->sim), err);
    return rc ? rc : loom_user_metrics(&of->users, of->sim, err);
}

enum { N_RESULTS = 15 };

static void list_results(struct result out[N_RESULTS], const struct simulation *of)
{
    const struct loom_user_metrics *m = &of->users;
    const struct loom_feedback_counts *counts = &of->reactions;
    const struct result results[N_RESULTS] = {
        {"count", "users who submitted", "", (double)m->users},
        {"returned", "started again", "times", (double)counts->returned},
        {"throughput_jobs_per_day", "throughput in the time of submissions", "jobs a day",
         of->submitting.throughput_jobs_per_day},
        {"utilization", "utilization in that time", "", of->submitting.utilization},
        {"jobs_per_day_mean", "throughput of a user, mean", "jobs a day", m->jobs_per_day_mean},
        {"jobs_per_day_median", "throughput of a user, median", "jobs a day",
         m->jobs_per_day_median},
        {"active_weeks_mean", "active weeks of a user, mean", "", m->active_weeks_mean},
        {"active_weeks_median", "active weeks of a user, median", "", m->active_weeks_median},
        {"activity_mean_s", "activity of a user, mean", "s", m->activity_mean_s},
        {"sessions", "sessions", "", (double)m->sessions},
        {"session_mean_s", "session, mean", "s", m->session_mean_s},
        {"session_median_s", "session, median", "s", m->session_median_s},
        {"aborted", "sessions ended by poor service", "", (double)counts->aborted},
        {"abandoned", "users driven away by poor service", "", (double)counts->abandoned},
        {"jobs_lost", "jobs that they did not submit", "", (double)counts->jobs_lost},
    };
    memcpy(out, results, sizeof results);
}

int add_people_json(json_t *document, const struct simulation *of)
{
    struct result results[N_RESULTS];
    if (!of->people)
        return 0;
    const char *behaviour = loom_params_text(of->call->params, "feedback");
    struct gaps gaps = find_gaps(loom_trace_jobs(of->trace));
    json_t *object = json_object();
    int failed =
        json_object_set_new(object, "population",
                            json_string(is_resampled(of->call) ? resampled_word : "log")) |
        json_object_set_new(object, "feedback", behaviour ? json_string(behaviour) : json_null()) |
        json_object_set_new(object, "seed",
                            json_integer(loom_params_int(of->call->params, "seed"))) |
        json_object_set_new(object, "replication",
                            json_integer(loom_params_int(of->call->params, "replication"))) |
        json_object_set_new(object, "jobs_without_user", json_integer((json_int_t)gaps.users)) |
        json_object_set_new(object, "jobs_without_wait", json_integer((json_int_t)gaps.waits));
    list_results(results, of);
    for (size_t i = 0; i < N_RESULTS; i++)
        failed |= json_object_set_new(object, results[i].key, loom_json_number(results[i].value));
    return json_object_set_new(document, "people", object) | failed;
}

static int fill_table(struct loom_table *table, const struct simulation *of, struct loom_error *err)
{
    struct result results[N_RESULTS];
    list_results(results, of);
    int rc = loom_table_column(table, "users", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "value", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, "", LOOM_LEFT, err);
    for (size_t i = 0; i < N_RESULTS && !rc; i++)
        rc = add_result_row(table, &results[i], err);
    return rc;
}

bool describe_people(char *buf, size_t size, const struct simulation *of)
{
    const char *behaviour = loom_params_text(of->call->params, "feedback");
    bool resampled = is_resampled(of->call);
    snprintf(buf, size, "%s, %s%s%s", resampled ? "a resampled population" : "the users of the log",
             behaviour ? "reacting by " : "who do not react", behaviour ? behaviour : "",
             loom_params_given(of->call->params, "load")
                 ? "; --load changes the log before that, and the load offered is a result"
                 : "");
    return behaviour || resampled;
}

void say_people_load(const struct simulation *of)
{
    if (has_people(of) && loom_params_given(of->call->params, "load"))
        say(of->call,
            "--load is that of the log, changed before users %s; the load that they offer is a "
            "result",
            is_resampled(of->call) ? "are drawn from it" : "react");
}

int people_table(struct loom_table **out, const struct simulation *of, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = fill_table(table, of, err);
    if (rc)
        loom_table_destroy(table);
    *out = rc ? NULL : table;
    return rc;
}

/* A row has no room for whole sentences: these are the results in the order of list_results. */
static const char *const short_titles[N_RESULTS] = {"users",
                                                    "started again",
                                                    "jobs a day",
                                                    "utilization then",
                                                    "jobs a day of a user, mean",
                                                    "jobs a day of a user, median",
                                                    "active weeks, mean",
                                                    "active weeks, median",
                                                    "activity, mean s",
                                                    "sessions",
                                                    "session, mean s",
                                                    "session, median s",
                                                    "sessions ended",
                                                    "users lost",
                                                    "jobs lost"};

static int add_run_people(struct loom_table *table, const struct simulation *of,
                          struct loom_error *err)
{
    struct result results[N_RESULTS];
    list_results(results, of);
    int rc = loom_table_cell(table, err, "%s", of->policy);
    if (!rc)
        rc = add_number(table, load_offered(of), err);
    for (size_t i = 0; i < N_RESULTS && !rc; i++)
        rc = add_number(table, results[i].value, err);
    return rc;
}

static int fill_run_people(struct loom_table *table, const struct simulation *runs, size_t n,
                           struct loom_error *err)
{
    int rc = loom_table_column(table, "scheduler", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "load", LOOM_RIGHT, err);
    for (size_t i = 0; i < N_RESULTS && !rc; i++)
        rc = loom_table_column(table, short_titles[i], LOOM_RIGHT, err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = add_run_people(table, &runs[i], err);
    return rc;
}

int run_people_table(struct loom_table **out, const struct simulation *runs, size_t n,
                     struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = fill_run_people(table, runs, n, err);
    if (rc)
        loom_table_destroy(table);
    *out = rc ? NULL : table;
    return rc;
}

int print_people(const struct simulation *of, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = of->people ? people_table(&table, of, err) : 0;
    return table ? print_next_table(table, err) : rc;
}

int print_run_people(const struct simulation *runs, size_t n, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = n > 0 && has_people(runs) ? run_people_table(&table, runs, n, err) : 0;
    return table ? print_next_table(table, err) : rc;
}
