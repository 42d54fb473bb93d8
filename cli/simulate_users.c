/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The users who submit the jobs of a simulation. */
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct loom_param people_params[] = {
    {.name = "users",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "LIST",
     .help = "3-7,ann,bob*; '!': left out; or resampled"},
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

bool is_resampled(const struct invocation *call)
{
    for (size_t i = 0; i < loom_params_count(call->params, "users"); i++)
        if (strcmp(loom_params_item(call->params, "users", i), resampled_word) == 0)
            return true;
    return false;
}

bool has_people(const struct invocation *call)
{
    return loom_params_given(call->params, "feedback") || is_resampled(call);
}

int check_people(const struct invocation *call, struct loom_error *err)
{
    static const char *const of_population[] = {"weeks",      "load-factor",   "long-term-weeks",
                                                "edge-weeks", "start",         "pause",
                                                "rare",       "rare-per-week", NULL};
    static const char *const of_feedback[] = {"session-gap", "poor", "abort", "abandon", NULL};
    const char *behaviour = loom_params_text(call->params, "feedback");
    bool resampled = is_resampled(call);
    if ((behaviour || resampled) && loom_params_given(call->params, "explain"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--explain does not go with --feedback or a resampled population: write "
                         "the schedule with -o and explain that");
    int rc = 0;
    if (!resampled)
        rc = refuse_options(call, of_population, "says nothing without --users resampled", err);
    if (!rc && !behaviour)
        rc = refuse_options(call, of_feedback, "says nothing without --feedback", err);
    if (!rc && resampled)
        rc = loom_rare_check(call->params, err);
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
static int refuse_slips(const struct loom_trace *trace, const struct loom_params *params,
                        struct loom_error *err)
{
    for (size_t i = 0; i < loom_params_count(params, "users"); i++) {
        const char *name = loom_params_item(params, "users", i);
        bool alike = strcasecmp(name, resampled_word) == 0 || strcasecmp(name, "resample") == 0;
        if (alike && loom_trace_number(trace, LOOM_USER, name) < 0)
            return loom_fail(err, LOOM_EUSAGE,
                             "--users: there is no user '%s'; did you mean --users %s?", name,
                             resampled_word);
    }
    return 0;
}

int select_simulated(struct loom_trace *trace, const struct invocation *call, int64_t *left_out,
                     struct loom_error *err)
{
    const struct loom_param *const lists[] = {loom_select_params, NULL};
    struct invocation without = *call;
    int rc =
        loom_params_given(call->params, "select")
            ? 0
            : loom_params_set(call->params, "select", loom_select_which(call->params, trace), err);
    if (!rc && !is_resampled(call)) {
        rc = loom_params_given(call->params, "users") ? refuse_slips(trace, call->params, err) : 0;
        return rc ? rc : apply_selection(trace, call, left_out, err);
    }
    if (!rc)
        rc = loom_params_create(&without.params, lists, err);
    if (rc)
        return rc;
    rc = loom_params_set(without.params, "select", loom_params_text(call->params, "select"), err);
    for (const struct loom_param *param = loom_select_params + 2; param->name && !rc; param++)
        rc = copy_values(without.params, call->params, param->name, err);
    if (!rc)
        rc = apply_selection(trace, &without, left_out, err);
    loom_params_destroy(without.params);
    return rc;
}

int draw_workloads(struct loom_resampler **out, const struct invocation *call,
                   const struct loom_users_request *users, const struct loom_trace *trace,
                   struct loom_error *err)
{
    struct loom_resample_rule rule = loom_resample_rule();
    int rc = users->options.n_rare > 0
                 ? loom_params_set(call->params, "measure-users", "!rare-*", err)
                 : 0;
    if (rc)
        return rc;
    rule.pools = users->pools;
    rule.population = users->population;
    rule.rare = users->rare;
    rule.n_rare = users->options.n_rare;
    return loom_resampler_create(out, &trace, 1, &rule, err);
}

void say_log(const struct simulation *of)
{
    const struct loom_outcome *first = of->outcomes[0];
    double load = loom_outcome_value(first, "users_log_load");
    if (!loom_outcome_load(first) && !isnan(load))
        say(of->call, "the log itself: load %.3g, throughput %.4g jobs/day", load,
            loom_outcome_value(first, "users_log_throughput_jobs_per_day"));
}

/* --procs is the machine here. */
const char *describe_selection(char *buf, size_t size, const struct invocation *call)
{
    const struct loom_params *params = call->params;
    size_t used = 0;
    for (const struct loom_param *param = loom_select_params; param->name; param++) {
        bool shown = loom_params_given(params, param->name) || strcmp(param->name, "select") == 0;
        if (strcmp(param->name, "procs") == 0 || !shown)
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
