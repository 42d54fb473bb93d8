/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom validate: can this schedule be, does it keep its policy's promises, and how does it
 * differ from another? */
#include "command.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const struct loom_param validate_params[] = {
    {.name = "procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of the machine (default: the header's)",
     .hint = "it is the size of the machine"},
    {.name = "policy",
     .type = LOOM_PARAM_TEXT,
     .metavar = "NAME[:PARAMETER=VALUE,...]",
     .help = "also check the guarantees of this policy"},
    PLUGIN_PARAM,
    {.name = "exact",
     .type = LOOM_PARAM_FLAG,
     .help = "also compare with a simulation under the policy"},
    OVERRUN_PARAM("what was done with a job that outran its estimate"),
    COMPAT_PARAM("order of events"),
    {.name = "against",
     .type = LOOM_PARAM_TEXT,
     .metavar = "OTHER",
     .help = "compare with another schedule, job by job"},
    {.name = NULL},
};

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Append to a list that is NULL once memory was out; what goes in is taken over. */
static json_t *append(json_t *list, json_t *item)
{
    if (list && json_array_append_new(list, item) == 0)
        return list;
    if (!list)
        json_decref(item);
    json_decref(list);
    return NULL;
}

static json_t *breaches_json(const struct loom_checked *check, const struct loom_jobs *jobs)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < check->breaches && i < LOOM_BREACHES_KEPT; i++) {
        const struct loom_breach *breach = &check->first[i];
        list =
            append(list, json_pack("{s:I, s:I, s:s}", "job", (json_int_t)jobs->number[breach->row],
                                   "time_s", (json_int_t)breach->time_s, "text", breach->text));
    }
    return list;
}

static json_t *checks_json(const struct loom_validation *validation, const struct loom_jobs *jobs)
{
    json_t *list = json_array();
    for (size_t i = 0; i < validation->n; i++) {
        const struct loom_checked *check = &validation->checks[i];
        list = append(list, json_pack("{s:s, s:s, s:I, s:o}", "rule", check->rule, "what",
                                      check->what, "breaches", (json_int_t)check->breaches, "first",
                                      breaches_json(check, jobs)));
    }
    return list;
}

static json_t *difference_json(const struct loom_schedule_difference *difference)
{
    json_t *first = json_array();
    for (size_t i = 0; i < difference->n_first; i++)
        first = append(first,
                       json_pack("{s:I, s:I, s:I}", "job", (json_int_t)difference->first[i].number,
                                 "start_a_s", (json_int_t)difference->first[i].start_a_s,
                                 "start_b_s", (json_int_t)difference->first[i].start_b_s));
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o}", "same",
                     (json_int_t)difference->same, "unrun", (json_int_t)difference->unrun,
                     "different", (json_int_t)difference->different, "only_here",
                     (json_int_t)difference->only_a, "only_there", (json_int_t)difference->only_b,
                     "unlike", (json_int_t)difference->unlike, "largest_s",
                     (json_int_t)difference->largest_s, "mean_s", difference->mean_s, "first",
                     first);
}

static int print_validate_json(const struct invocation *call, const struct loom_trace *schedule,
                               const struct loom_validation *validation,
                               const struct loom_schedule_difference *difference, bool valid,
                               struct loom_error *err)
{
    const struct loom_read_report *report = loom_trace_report(schedule);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    json_t *rest =
        json_pack("{s:o, s:s, s:s, s:s, s:b, s:I, s:I, s:I, s:o}", "file", text_json(report->file),
                  "hash", hash, "overrun", loom_params_text(call->params, "overrun"), "compat",
                  loom_params_text(call->params, "compat"), "valid", valid, "jobs",
                  (json_int_t)validation->jobs, "unrun", (json_int_t)validation->unrun, "overran",
                  (json_int_t)validation->overran, "checks",
                  checks_json(validation, loom_trace_jobs(schedule)));
    bool failed = difference && json_object_set_new(rest, "against", difference_json(difference));
    return print_fields(call, rest, failed, err);
}

/* ---- text ------------------------------------------------------------------------------------ */

static int fill_validate_table(struct loom_table *table, const struct loom_validation *validation,
                               struct loom_error *err)
{
    int rc = loom_table_column(table, "rule", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "breaches", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, "what it says", LOOM_LEFT, err);
    for (size_t i = 0; i < validation->n && !rc; i++) {
        const struct loom_checked *check = &validation->checks[i];
        rc = loom_table_cell(table, err, "%s", check->rule);
        if (!rc)
            rc = count_cell(table, check->breaches, err);
        if (!rc)
            rc = loom_table_cell(table, err, "%s", check->what);
    }
    return rc;
}

static void say_breaches(const struct invocation *call, const char *file,
                         const struct loom_validation *validation)
{
    for (size_t i = 0; i < validation->n; i++) {
        const struct loom_checked *check = &validation->checks[i];
        for (int64_t k = 0; k < check->breaches && k < LOOM_BREACHES_KEPT; k++)
            say(call, "%s: %s: %s", file, check->rule, check->first[k].text);
        if (check->breaches > LOOM_BREACHES_KEPT)
            say(call, "%s: %s: ... and %" PRId64 " more", file, check->rule,
                check->breaches - LOOM_BREACHES_KEPT);
        if (check->breaches > 1 && strcmp(check->rule, "exact") == 0)
            say(call,
                "%s: exact: the first is a decision that was another, the others may follow "
                "from it",
                file);
    }
}

/* A promise seems broken where an estimate was too short, unless one says so. */
static void hint_overrun(const struct invocation *call, const struct loom_validation *validation)
{
    int64_t breaches = 0;
    for (size_t i = 2; i < validation->n; i++) /* behind what holds for any policy */
        breaches += validation->checks[i].breaches;
    if (breaches > 0 && validation->overran > 0 && !loom_params_given(call->params, "overrun"))
        say(call,
            "%" PRId64 " %s longer than requested, and estimates were taken as raised to that "
            "beforehand; if the scheduler let them run on, check with --overrun extend",
            validation->overran, validation->overran == 1 ? "job ran" : "jobs ran");
}

/* Times have dates where the start of the schedule is known. */
static int take_zone(struct loom_zone **out, const struct loom_trace *schedule,
                     struct loom_error *err)
{
    *out = NULL;
    return loom_trace_machine(schedule)->unix_start_s == -1
               ? 0
               : loom_zone_create(out, schedule, NULL, err);
}

static const char *start_text(const struct loom_zone *zone, int64_t start_s, char *buf, size_t size)
{
    return start_s < 0 ? "no known time" : loom_instant_text(zone, start_s, buf, size);
}

static void say_starts(const struct invocation *call, const struct loom_zone *zone,
                       const struct loom_schedule_difference *difference)
{
    char here[80], there[80];
    for (size_t i = 0; i < difference->n_first; i++)
        say(call, "job %" PRId64 " starts at %s here and at %s there", difference->first[i].number,
            start_text(zone, difference->first[i].start_a_s, here, sizeof here),
            start_text(zone, difference->first[i].start_b_s, there, sizeof there));
    if ((int64_t)difference->n_first < difference->different)
        say(call, "... and %" PRId64 " more", difference->different - (int64_t)difference->n_first);
}

static void say_counts(const struct invocation *call, const char *other,
                       const struct loom_schedule_difference *difference)
{
    char largest[LOOM_HUMAN], mean[LOOM_HUMAN], apart[2 * LOOM_HUMAN + 40] = "";
    char unrun[60] = "";
    if (difference->unrun > 0)
        snprintf(unrun, sizeof unrun, ", %" PRId64 " ran in neither", difference->unrun);
    if (difference->largest_s > 0)
        snprintf(apart, sizeof apart, " (by %s at most, %s on average)",
                 loom_exact_duration(difference->largest_s, largest, sizeof largest),
                 loom_human_seconds(difference->mean_s, mean, sizeof mean));
    say(call, "against %s: %" PRId64 " %s at the same time in both, %" PRId64 " %s not%s%s", other,
        difference->same, difference->same == 1 ? "job starts" : "jobs start",
        difference->different, difference->different == 1 ? "does" : "do", apart, unrun);
}

static void say_difference(const struct invocation *call, const struct loom_zone *zone,
                           const struct loom_schedule_difference *difference)
{
    const char *other = loom_params_text(call->params, "against");
    if (difference->unlike)
        say(call,
            "against %s: these are not the same jobs: of the %" PRId64
            " with the same numbers, %" PRId64 " %s submitted at other times or of other sizes",
            other, difference->same + difference->unrun + difference->different, difference->unlike,
            difference->unlike == 1 ? "is" : "are");
    say_counts(call, other, difference);
    say_starts(call, zone, difference);
    if (difference->only_a || difference->only_b)
        say(call, "%" PRId64 " %s only here, %" PRId64 " only there", difference->only_a,
            difference->only_a == 1 ? "job is" : "jobs are", difference->only_b);
}

/* Promises are less than a policy: a schedule of fcfs keeps those of easy. */
static void hint_exact(const struct invocation *call, const struct loom_validation *validation)
{
    const char *policy = loom_params_text(call->params, "policy");
    for (size_t i = 0; i < validation->n; i++)
        if (validation->checks[i].breaches > 0 || strcmp(validation->checks[i].rule, "exact") == 0)
            return;
    if (policy)
        say(call,
            "it keeps the promises of %s, as schedules of other policies may too; --exact checks "
            "whether it is the schedule of %s",
            policy, policy);
}

static int print_rules(const struct invocation *call, const struct loom_validation *validation,
                       struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = new_table(&table, call, err);
    if (!rc)
        rc = fill_validate_table(table, validation, err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

static int print_validate_text(const struct invocation *call, const struct loom_trace *schedule,
                               const struct loom_validation *validation,
                               const struct loom_schedule_difference *difference,
                               struct loom_error *err)
{
    struct loom_zone *zone = NULL;
    int rc = take_zone(&zone, schedule, err);
    if (!rc)
        rc = print_rules(call, validation, err);
    if (rc) {
        loom_zone_destroy(zone);
        return rc;
    }
    char jobs[JOBS_SIZE], unrun[LOOM_HUMAN];
    say(call, "checked %s, %s did not run", jobs_text(validation->jobs, jobs, sizeof jobs),
        loom_human_count(validation->unrun, unrun, sizeof unrun));
    say_breaches(call, loom_trace_report(schedule)->file, validation);
    hint_overrun(call, validation);
    if (difference)
        say_difference(call, zone, difference);
    hint_exact(call, validation);
    loom_zone_destroy(zone);
    return 0;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool is_valid(const struct loom_validation *validation,
                     const struct loom_schedule_difference *difference)
{
    for (size_t i = 0; i < validation->n; i++)
        if (validation->checks[i].breaches > 0)
            return false;
    return !difference ||
           difference->different + difference->only_a + difference->only_b + difference->unlike ==
               0;
}

static int compare(struct loom_schedule_difference *out, const struct invocation *call,
                   const struct loom_trace *schedule, struct loom_pool *pool,
                   struct loom_error *err)
{
    struct loom_trace *other = NULL;
    int rc = read_trace(&other, call, loom_params_text(call->params, "against"), pool, err);
    if (!rc)
        rc = need_jobs(other, call, 0, "to compare with", err);
    if (!rc)
        rc = loom_schedules_compare(out, schedule, other, err);
    loom_trace_destroy(other);
    return rc;
}

/* A schedule that breaks a rule or differs is a failure like any other: exit status 1. */
static int fail_invalid(const struct invocation *call, const struct loom_trace *schedule,
                        bool breaks, struct loom_error *err)
{
    const char *file = loom_trace_report(schedule)->file;
    if (breaks)
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0, "the schedule breaks rules");
    return loom_fail_at(err, LOOM_EDATA, file, 0, 0, "the schedule differs from that in %s",
                        loom_params_text(call->params, "against"));
}

static int validate(const struct invocation *call, struct loom_trace *schedule,
                    struct loom_pool *pool, struct loom_error *err)
{
    struct loom_validation validation;
    struct loom_schedule_difference found, *difference = NULL;
    const struct loom_params *given = call->params;
    const struct loom_validate_options options = {
        .procs = loom_params_given(given, "procs") ? loom_params_int(given, "procs")
                                                   : loom_trace_machine(schedule)->max_procs,
        .policy = loom_params_text(given, "policy"),
        .schedulers = call->schedulers,
        .overrun = (enum loom_overrun)loom_params_choice(given, "overrun"),
        .compat = (enum loom_compat)loom_params_choice(given, "compat"),
        .exact = loom_params_flag(given, "exact"),
        .dates = !loom_params_flag(given, "json"),
    };
    int rc = need_jobs(schedule, call, 0, "to check", err);
    if (!rc && options.policy && loom_grid_made(schedule))
        rc = loom_fail_at(err, LOOM_EUSAGE, loom_trace_report(schedule)->file, 0, 0,
                          "this is a schedule of grid jobs, or of local jobs beside them, which no "
                          "policy of one machine made: leave out --policy");
    if (!rc)
        rc = loom_validate(&validation, schedule, &options, err);
    if (!rc && loom_params_given(given, "against")) {
        difference = &found;
        rc = compare(difference, call, schedule, pool, err);
    }
    if (rc)
        return rc;
    bool valid = is_valid(&validation, difference);
    rc = loom_params_flag(given, "json")
             ? print_validate_json(call, schedule, &validation, difference, valid, err)
             : print_validate_text(call, schedule, &validation, difference, err);
    return !rc && !valid ? fail_invalid(call, schedule, !is_valid(&validation, NULL), err) : rc;
}

/* Before the schedule is read: what is wrong with a policy is wrong with the command line. */
static int validate_run(const struct invocation *call, struct loom_error *err)
{
    const char *policy = loom_params_text(call->params, "policy");
    int rc = policy ? loom_scheduler_check(call->schedulers, policy, err) : 0;
    if (rc && rc != LOOM_ENOMEM)
        return err->code = LOOM_EUSAGE;
    if (!rc)
        rc = refuse_stdin_twice(call->operands[0], loom_params_text(call->params, "against"), err);
    return rc ? rc : with_trace(call, validate, err);
}

static const char *const about[] = {
    "A schedule is a log whose waits say when jobs started; an unknown wait means not run. No job "
    "may start before its submission, and no more processors be busy than there are.",
    "Guarantees of a --policy: fcfs starts jobs in queue order; easy, easy-sjbf and lookahead "
    "never delay the first job's reservation, relaxed by its slack at most; conservative keeps its "
    "plan. Other policies, and all with --exact, are simulated and compared job by job.",
    "Estimates are requested times, raised to the runtime unless --overrun says otherwise. The "
    "exit status is 1 if a rule is broken or --against differs.",
    NULL,
};

static const struct example examples[] = {
    {"workloom validate schedule.swf --policy easy", "Check a schedule of an EASY scheduler."},
    {"workloom validate schedule.swf --policy relaxed:slack=0.2",
     "Check how late the first job ever was."},
    {"workloom validate schedule.swf --policy ups:alpha=0.8 --exact --overrun extend",
     "Is it exactly what this policy does?"},
    {"workloom validate ours.swf --against theirs.swf --procs 128",
     "See which jobs start at other times."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {validate_params, input_params, table_params,
                                                  common_params, NULL};

const struct command command_validate = {
    .name = "validate",
    .group = GROUP_SIMULATION,
    .summary = "check a schedule, or compare two",
    .operands = "SCHEDULE",
    .about = about,
    .params = params,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1,
    .run = validate_run,
};
