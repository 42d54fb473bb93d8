/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What queue mixed and queue reopen print and write. */
#include "queue.h"

#include <jansson.h>
#include <string.h>

int check_queue_outputs(const struct invocation *call, struct loom_error *err)
{
    const char *csv = loom_params_text(call->params, "csv");
    int rc = check_report_outputs(call, err);
    if (!rc)
        rc = refuse_same_output(call, "html", "csv", err);
    if (!rc && csv && strcmp(csv, "-") == 0 && loom_params_flag(call->params, "json"))
        rc = loom_fail(err, LOOM_EUSAGE,
                       "--json and --csv cannot both go to stdout; name a file with --csv");
    return !rc && csv ? loom_output_check(csv, err) : rc;
}

static int write_queue_csv(const struct invocation *call, const struct loom_queueing_study *study,
                           const char *path, struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, path, err);
    if (!rc)
        rc = loom_queueing_csv(out, study, err);
    return end_output(out, rc, call, err);
}

static int write_queue_report(const struct invocation *call,
                              const struct loom_queueing_study *study, struct loom_pool *pool,
                              struct loom_error *err)
{
    const struct loom_params *params = call->params;
    struct loom_report *report = NULL;
    int rc = loom_report_queueing(&report, study, pool, err);
    if (rc)
        return rc;
    loom_report_join(report, call->outputs);
    if (loom_params_given(params, "html"))
        rc = loom_report_queueing_html(report, loom_params_text(params, "html"), study, call->line,
                                       err);
    return end_report(report, rc, call, err);
}

static int print_study(const struct invocation *call, const struct loom_queueing_study *study,
                       struct loom_error *err)
{
    const char *csv = loom_params_text(call->params, "csv");
    struct loom_table *table = NULL;
    if (loom_params_flag(call->params, "json")) {
        json_t *fields = loom_queueing_json(study);
        return print_fields(call, fields, !fields, err);
    }
    if (wants_report(call) || (csv && strcmp(csv, "-") == 0))
        return 0;
    int rc = loom_queueing_table(&table, study, loom_params_flag(call->params, "wide"), err);
    return rc ? rc : print_table(table, err);
}

/* Say how much was simulated. */
static void say_simulated(const struct invocation *call, const struct loom_queueing_study *study)
{
    uint64_t jobs = 0, warm_up = 0;
    char all[LOOM_HUMAN], left_out[LOOM_HUMAN];
    for (size_t i = 0; i < study->curves * study->points; i++) {
        jobs += study->trials[i].simulate ? study->trials[i].result.jobs : 0;
        warm_up += study->trials[i].simulate ? study->trials[i].result.warm_up : 0;
    }
    if (jobs > 0)
        say(call, "simulated %s jobs; left out %s as warm-up",
            loom_human_count((int64_t)jobs, all, sizeof all),
            loom_human_count((int64_t)warm_up, left_out, sizeof left_out));
}

/* Runs that leave more work than this unserved were not long enough. */
#define MOST_UNSERVED 0.05

static void warn_unsettled(const struct loom_queueing_study *study)
{
    size_t n = 0;
    double most = 0;
    for (size_t i = 0; i < study->curves * study->points; i++) {
        const struct loom_queueing_trial *trial = &study->trials[i];
        double unserved = trial->simulate ? trial->result.unserved : 0;
        n += unserved > MOST_UNSERVED;
        most = unserved > most ? unserved : most;
    }
    if (n > 0)
        warn("%zu of %zu models had not reached a steady state: up to %.0f %% of the work was not "
             "served at the end; raise --%s",
             n, study->curves * study->points, 100 * most, study->exact_first ? "jobs" : "users");
}

int report_study(const struct invocation *call, const struct loom_queueing_study *study,
                 struct loom_pool *pool, struct loom_error *err)
{
    const char *csv = loom_params_text(call->params, "csv");
    int rc = wants_report(call) ? write_queue_report(call, study, pool, err) : 0;
    if (!rc && csv)
        rc = write_queue_csv(call, study, csv, err);
    if (!rc)
        rc = print_study(call, study, err);
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc && !loom_params_flag(call->params, "json") && !wants_report(call) &&
        !(csv && strcmp(csv, "-") == 0))
        say(call, "times are in the unit of --service, throughput in jobs per such unit");
    if (!rc)
        say_simulated(call, study);
    if (!rc)
        warn_unsettled(study);
    return rc;
}
