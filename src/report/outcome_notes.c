/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reader of outcomes should know beside the numbers, as sentences. */
#include "report/outcomes.h"
#include "sim/results/saturation.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct teller {
    loom_note_fn *note;
    void *context;
};

LOOM_PRINTF(2, 3) static void note(const struct teller *to, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    to->note(to->context, text);
}

static const char *are(size_t n)
{
    return n == 1 ? "is" : "are";
}

/* ---- load ------------------------------------------------------------------------------------ */

static void note_load(const struct teller *to, const struct loom_load_change *load, bool grid)
{
    static const char *const what[LOOM_LOAD_WAYS] = {"processors", "interarrival times",
                                                     "runtimes"};
    note(to, "load%s %.3g -> %.3g (%s x %.4g)", grid ? " of the grid" : "", load->before,
         load->after, what[load->way], load->factor);
    char count[LOOM_HUMAN];
    if (load->left_out > 0)
        note(to, "no machine for all jobs has this load: left out %s %s wider than %" PRId64,
             loom_human_count(load->left_out, count, sizeof count),
             load->left_out == 1 ? "job" : "jobs", load->procs);
}

static void note_requests(const struct teller *to, const struct loom_request_change *change)
{
    char how[LOOM_REQUEST_RULE_TEXT], count[LOOM_HUMAN];
    note(to, "requested times set to %s: %s jobs changed",
         loom_request_rule_text(how, sizeof how, change->how, change->factor),
         loom_human_count(change->changed, count, sizeof count));
}

static void note_prediction(const struct teller *to,
                            const struct loom_prediction_outcome *predicted)
{
    char mae[LOOM_HUMAN], under[LOOM_HUMAN], count[LOOM_HUMAN];
    if (predicted->requests_unknown > 0)
        note(to,
             "%s %s without a requested time; the predictor gets the mean runtime so far instead",
             loom_human_count(predicted->requests_unknown, count, sizeof count),
             predicted->requests_unknown == 1 ? "job" : "jobs");
    note(to, "runtimes predicted by %s: mean absolute error %s, %s too short", predicted->predictor,
         loom_human_seconds(predicted->errors.mae_s, mae, sizeof mae),
         loom_human_share(predicted->errors.underestimated_fraction, under, sizeof under));
}

static void note_waits(const struct teller *to, const struct loom_wait_errors *waits)
{
    char jobs[LOOM_HUMAN], mae[LOOM_HUMAN], bias[LOOM_HUMAN], late[LOOM_HUMAN];
    if (waits->jobs == 0)
        note(to, "no wait to predict: every job started when it was submitted");
    else
        note(to,
             "waits of %s jobs predicted at submission: mean absolute error %s, on average %s too "
             "%s, %s of them started later than predicted",
             loom_human_count(waits->jobs, jobs, sizeof jobs),
             loom_human_seconds(waits->mae_s, mae, sizeof mae),
             loom_human_seconds(fabs(waits->bias_s), bias, sizeof bias),
             waits->bias_s >= 0 ? "long" : "short",
             loom_human_share(waits->late_fraction, late, sizeof late));
}

/* ---- local jobs ------------------------------------------------------------------------------ */

#define COVERS_ENOUGH 0.9

static const char *remedy_for(const struct loom_cluster_outcome *cluster)
{
    return cluster->model ? "take more grid jobs, so that the model makes more local ones"
                          : "take a longer log, another shift or lower load, or a model";
}

/* Once, of the run whose local jobs cover least of the time of grid jobs. */
static void note_coverage(const struct teller *to, const struct loom_outcome *const *outcomes,
                          size_t n)
{
    const struct loom_outcome *least = NULL;
    char at[40] = "";
    for (size_t i = 0; i < n; i++) {
        const struct loom_grid_outcome *grid = outcomes[i]->grid;
        if (grid && grid->metrics.covers_least < COVERS_ENOUGH &&
            (!least || grid->metrics.covers_least < least->grid->metrics.covers_least))
            least = outcomes[i];
    }
    if (!least)
        return;
    if (n > 1 && least->load.asked > 0)
        snprintf(at, sizeof at, " at load %g", least->load.asked);
    const struct loom_cluster_outcome *cluster =
        &least->grid->clusters[least->grid->metrics.least_covered];
    note(to,
         "local jobs of %s come in %.2g %% of the time of the grid's jobs%s: the load of the grid "
         "and the processors left are right for that part only; %s",
         cluster->name, 100 * least->grid->metrics.covers_least, at, remedy_for(cluster));
}

/* Local jobs that came too early to be simulated, by cluster. */
static void note_left_out(const struct teller *to, const struct loom_grid_outcome *grid)
{
    for (size_t i = 0; i < grid->n; i++) {
        const struct loom_cluster_outcome *cluster = &grid->clusters[i];
        if (cluster->left_out > 0)
            note(to, "%zu local %s of %s would come before time 0 and %s left out",
                 cluster->left_out, cluster->left_out == 1 ? "job" : "jobs", cluster->name,
                 are(cluster->left_out));
    }
}

/* Local jobs left out or changed, of all clusters. */
static void note_local_counts(const struct teller *to, const struct loom_grid_outcome *grid)
{
    struct loom_sim_counts sum = {0};
    char count[LOOM_HUMAN];
    for (size_t i = 0; i < grid->n; i++) {
        const struct loom_sim_counts *counts = &grid->clusters[i].counts;
#define X(name, what) sum.name += counts->name;
        LOOM_SIM_COUNTS(X)
#undef X
    }
#define X(name, what)                                                                   \
    if (sum.name > 0)                                                                   \
        note(to, "%s local %s: " what, loom_human_count(sum.name, count, sizeof count), \
             sum.name == 1 ? "job" : "jobs");
    LOOM_SIM_COUNTS(X)
#undef X
}

/* ---- users ----------------------------------------------------------------------------------- */

static void note_users(const struct teller *to, const struct loom_users_outcome *users,
                       const struct loom_load_change *load)
{
    if (load->asked > 0)
        note(to,
             "the load asked for is the load of the log, changed before users %s; the load that "
             "they offer is a result",
             users->resampled ? "are drawn from it" : "react");
    const char *jobs = users->without_user == 1 ? "job" : "jobs";
    if (users->without_user > 0 && users->resampled)
        note(to, "%zu %s without a user ID %s left out", users->without_user, jobs,
             are(users->without_user));
    else if (users->without_user > 0)
        note(to, "%zu %s without a user ID %s at the log's submit times", users->without_user, jobs,
             users->without_user == 1 ? "comes" : "come");
    if (users->without_wait > 0 && users->behaviour)
        note(to,
             "%zu %s an unknown wait, taken as 0: users seem to depend on more jobs, and to think "
             "for longer, than they did",
             users->without_wait, users->without_wait == 1 ? "job has" : "jobs have");
}

/* ---- classes --------------------------------------------------------------------------------- */

static void note_classes(const struct teller *to, const struct loom_outcome *const *outcomes,
                         size_t n)
{
    enum { MOST = 8 };
    char values[300] = "";
    size_t used = 0;
    const char *kind = loom_class_kind_name(outcomes[0]->classes->kind);
    if (isnan(outcomes[0]->classes->fairness)) {
        note(to, "no fairness over classes: no job has a known %s", kind);
        return;
    }
    for (size_t i = 0; i < n && i < MOST && used < sizeof values; i++)
        if (outcomes[i]->classes)
            used += (size_t)snprintf(values + used, sizeof values - used, "%s%s%s%.3g",
                                     i ? ", " : "", n > 1 ? outcomes[i]->policy : "",
                                     n > 1 ? " " : "", outcomes[i]->classes->fairness);
    note(to, "fairness over classes by %s: %s%s (Jain's index: 1 if all are equal)", kind, values,
         n > MOST ? ", ..." : "");
}

/* ---- saturation ------------------------------------------------------------------------------ */

/* "fcfs at load 0.7, easy", of those for which it holds, some of many. Returns buf. */
static const char *name_runs(const struct loom_outcome *const *outcomes, size_t n,
                             bool (*holds)(const struct loom_outcome *outcome), char *buf,
                             size_t size)
{
    enum { MOST = 5 };
    size_t used = 0, named = 0;
    buf[0] = 0;
    for (size_t i = 0; i < n && used < size; i++) {
        if (!holds(outcomes[i]))
            continue;
        if (named++ == MOST) {
            snprintf(buf + used, size - used, ", ...");
            break;
        }
        used += (size_t)snprintf(buf + used, size - used, "%s%.40s", named > 1 ? ", " : "",
                                 outcomes[i]->policy);
        if (outcomes[i]->load.asked > 0 && used < size)
            used +=
                (size_t)snprintf(buf + used, size - used, " at load %.3g", outcomes[i]->load.asked);
    }
    return buf;
}

static bool is_undecided(const struct loom_outcome *outcome)
{
    return outcome->metrics.undecided && !outcome->metrics.filling;
}

/* An undecided run is named once, with its backlog. */
static bool had_backlog(const struct loom_outcome *outcome)
{
    return loom_sim_had_backlog(&outcome->metrics) && !is_undecided(outcome);
}

static void note_undecided(const struct teller *to, const struct loom_outcome *const *outcomes,
                           size_t n)
{
    size_t undecided = 0, backlog = 0;
    char names[300], grounds[160] = "the interval of the growth of outstanding jobs contains one a "
                                    "week";
    for (size_t i = 0; i < n; i++) {
        undecided += is_undecided(outcomes[i]);
        backlog += is_undecided(outcomes[i]) && loom_sim_had_backlog(&outcomes[i]->metrics);
    }
    if (backlog > 0)
        snprintf(grounds, sizeof grounds,
                 "%zu of them had %d or more weeks in a row that began with over a day's work "
                 "waiting",
                 backlog, LOOM_BACKLOG_LONG);
    if (undecided > 0)
        note(to, "saturation of %zu of %zu runs is undecided (%s): %s", undecided, n, grounds,
             name_runs(outcomes, n, is_undecided, names, sizeof names));
}

static void note_verdicts(const struct teller *to, const struct loom_outcome *const *outcomes,
                          size_t n)
{
    size_t none = 0, saturated = 0, filling = 0, backlog = 0;
    char names[300];
    for (size_t i = 0; i < n; i++) {
        none += outcomes[i]->metrics.saturated < 0;
        filling += outcomes[i]->metrics.filling;
        saturated += loom_outcome_saturated(outcomes[i]);
        backlog += had_backlog(outcomes[i]);
    }
    if (saturated > 0)
        note(to, "%zu of %zu runs %s saturated (outstanding jobs grow by more than one a week): %s",
             saturated, n, are(saturated),
             name_runs(outcomes, n, loom_outcome_saturated, names, sizeof names));
    note_undecided(to, outcomes, n);
    if (filling > 0)
        note(to, "%zu of %zu runs %s filling: outstanding jobs grow by running jobs alone", filling,
             n, are(filling));
    if (backlog > 0)
        note(to,
             "%zu of %zu runs %s not saturated at the end, but had %d or more weeks in a row that "
             "began with over a day's work waiting: %s",
             backlog, n, are(backlog), LOOM_BACKLOG_LONG,
             name_runs(outcomes, n, had_backlog, names, sizeof names));
    if (none > 0)
        note(to, "%zu %s no verdict on saturation: too few weeks for a trend", none,
             none == 1 ? "run has" : "runs have");
}

/* A policy that ranks users has none to rank. */
static void note_unranked(const struct teller *to, const struct loom_outcome *const *outcomes,
                          size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct loom_outcome *one = outcomes[i];
        bool ranks = strncmp(one->policy, "ups", strcspn(one->policy, ":")) == 0;
        if (ranks && loom_outcome_value(one, "users") == 0) {
            note(to, "no job has a user ID, so %s ranks no users and comes to easy", one->policy);
            return;
        }
    }
}

/* A load that users change is another load to wait under. */
static void note_other_load(const struct teller *to, const struct loom_outcome *outcome)
{
    const double apart = 0.1;
    const struct loom_users_outcome *users = outcome->submitters;
    double ours = outcome->metrics.load_offered, log = users->log_load;
    if (users->behaviour && log > 0 && fabs(ours / log - 1) > apart)
        note(
            to,
            "users who react offer a load of %.3g and the log has %.3g: waits are those of another "
            "load",
            ours, log);
}

/* A size that nobody stated is a guess that load and waits rest on. */
static void note_size(const struct teller *to, const struct loom_outcome *outcome)
{
    char text[160];
    const struct loom_machine_size size = {outcome->procs, outcome->size_source};
    note(to, "%s", loom_size_note(&size, text, sizeof text));
}

void loom_outcome_notes(const struct loom_outcome *const *outcomes, size_t n, loom_note_fn *fn,
                        void *context)
{
    const struct teller to = {fn, context};
    if (n == 0)
        return;
    const struct loom_outcome *first = outcomes[0];
    if (first->size_source != LOOM_SIZE_HEADER)
        note_size(&to, first);
    if (first->requests.how != LOOM_REQUESTS_REQUESTED)
        note_requests(&to, &first->requests);
    if (first->predicted)
        note_prediction(&to, first->predicted);
    if (n == 1 && first->waits)
        note_waits(&to, first->waits);
    if (n == 1 && first->load.asked > 0)
        note_load(&to, &first->load, first->grid != NULL);
    if (first->submitters)
        note_users(&to, first->submitters, &first->load);
    if (n == 1 && first->submitters)
        note_other_load(&to, first);
    if (first->grid)
        note_left_out(&to, first->grid);
    if (n == 1 && first->grid)
        note_local_counts(&to, first->grid);
    if (first->grid)
        note_coverage(&to, outcomes, n);
    if (first->classes)
        note_classes(&to, outcomes, n);
    note_unranked(&to, outcomes, n);
    if (n > 1)
        note_verdicts(&to, outcomes, n);
}
