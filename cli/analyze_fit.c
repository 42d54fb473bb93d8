/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom analyze --fit: every distribution fitted to one column of the jobs, best first. */
#include "analyze_fit.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const fit_by_names[] = {
    [LOOM_FIT_LIKELIHOOD] = "likelihood",
    [LOOM_FIT_MOMENTS] = "moments",
    [LOOM_FIT_PERCENTILES] = "percentiles",
    NULL,
};

const struct loom_param fit_params[] = {
    {.name = "fit",
     .type = LOOM_PARAM_CHOICE,
     .choices = loom_values_names,
     .metavar = "COLUMN",
     .help = "rank fits of a column"},
    {.name = "fit-by",
     .type = LOOM_PARAM_CHOICE,
     .choices = fit_by_names,
     .value = "likelihood",
     .metavar = "HOW",
     .help = "how --fit finds parameters"},
    SEED_PARAM("random seed of --fit and of randomised figures"),
    {.name = NULL},
};

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *params_json(const struct loom_dist *dist)
{
    json_t *object = json_object();
    char name[32];
    for (size_t i = 0; i < dist->n_params; i++)
        json_object_set_new(object, loom_dist_param_name(dist->ops, i, name, sizeof name),
                            loom_json_number(dist->params[i]));
    if (json_object_size(object) == dist->n_params)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *ranked_json(const struct loom_ranked *item)
{
    if (!item->fitted)
        return json_pack("{s:s, s:b, s:s}", "distribution", item->name, "fitted", 0, "reason",
                         item->reason);
    const struct loom_fit *fit = &item->fit;
    const struct loom_goodness *good = &item->goodness;
    return json_pack("{s:s, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, "
                     "s:o, s:s*, s:s}",
                     "distribution", item->name, "fitted", 1, "discrete", fit->dist.ops->discrete,
                     "values", loom_json_number(fit->weight), "parameters", params_json(&fit->dist),
                     "log_likelihood", loom_json_number(fit->log_likelihood), "aic",
                     loom_json_number(fit->aic), "bic", loom_json_number(fit->bic), "converged",
                     fit->converged, "ks", loom_json_number(good->ks), "ks_p",
                     loom_json_number(good->ks_p), "ad", loom_json_number(good->ad), "chi2",
                     loom_json_number(good->chi2), "chi2_p", loom_json_number(good->chi2_p),
                     "subsamples_500_passed", loom_json_number(item->share_passed[0]),
                     "subsamples_1000_passed", loom_json_number(item->share_passed[1]), "spike",
                     item->spike[0] ? item->spike : NULL, "note", fit->note);
}

/* What was fitted. */
struct question {
    const struct loom_trace *trace;
    int64_t left_out;
    size_t n; /* values */
};

static int print_analyze_fit_json(const struct invocation *call, const struct loom_ranked *items,
                                  size_t count, const struct question *question,
                                  struct loom_error *err)
{
    const struct loom_read_report *report = loom_trace_report(question->trace);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    json_t *fits = json_array();
    bool failed = false;
    for (size_t i = 0; i < count; i++)
        failed |= json_array_append_new(fits, ranked_json(&items[i]));
    json_t *rest =
        json_pack("{s:o, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:o}", "file", text_json(report->file),
                  "hash", hash, "column", loom_params_text(call->params, "fit"), "by",
                  loom_params_text(call->params, "fit-by"), "select",
                  loom_params_text(call->params, "select"), "jobs",
                  (json_int_t)loom_trace_count(question->trace), "left_out",
                  (json_int_t)question->left_out, "values", (json_int_t)question->n, "fits", fits);
    return print_fields(call, rest, failed, err);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* "shape 1.26, scale 172" */
static const char *params_text(const struct loom_dist *dist, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < dist->n_params && used < size; i++) {
        char name[32];
        bool large = fabs(dist->params[i]) >= 1e4 && fabs(dist->params[i]) < 1e15;
        used +=
            (size_t)snprintf(text + used, size - used, large ? "%s%s %.0f" : "%s%s %.4g",
                             i ? ", " : "", loom_dist_param_name(dist->ops, i, name, sizeof name),
                             dist->params[i]);
    }
    return text;
}

/* A number, or a dash where there is none. */
static int add_analyze_fit_number(struct loom_table *table, double number, struct loom_error *err)
{
    return number_cell(table, isfinite(number) ? number : NAN, err);
}

static bool is_discrete(const struct loom_ranked *item)
{
    return item->fit.dist.ops->discrete;
}

static int add_analyze_fit_row(struct loom_table *table, const struct loom_ranked *item,
                               struct loom_error *err)
{
    char params[400];
    int rc = loom_table_cell(table, err, "%s", item->name);
    if (!item->fitted) {
        for (int i = 0; i < 7 && !rc; i++)
            rc = loom_table_cell(table, err, "-");
        return rc ? rc : loom_table_cell(table, err, "not fitted: %s", item->reason);
    }
    if (!rc)
        rc = number_cell(table, item->fit.weight, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%.4f", item->goodness.ks);
    if (!rc)
        rc = add_analyze_fit_number(table, item->goodness.ad, err);
    if (!rc)
        rc = add_analyze_fit_number(table, item->goodness.chi2, err);
    if (!rc)
        rc = add_analyze_fit_number(table, item->fit.bic, err);
    if (!rc)
        rc = share_cell(table, item->share_passed[0], err);
    if (!rc)
        rc = share_cell(table, item->share_passed[1], err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s%s%s%s%s", is_discrete(item) ? "(discrete) " : "",
                             item->fit.converged ? "" : "(not converged) ",
                             params_text(&item->fit.dist, params, sizeof params),
                             item->spike[0] ? "; " : "", item->spike);
    return rc;
}

static int fill_analyze_fit_table(struct loom_table *table, const struct loom_ranked *items,
                                  size_t count, struct loom_error *err)
{
    static const struct table_column columns[] = {{"distribution", LOOM_LEFT, LOOM_KEEP},
                                                  {"values", LOOM_RIGHT, 10},
                                                  {"KS", LOOM_RIGHT, LOOM_KEEP},
                                                  {"AD", LOOM_RIGHT, 30},
                                                  {"chi2", LOOM_RIGHT, 20},
                                                  {"BIC", LOOM_RIGHT, 40},
                                                  {"500", LOOM_RIGHT, LOOM_KEEP},
                                                  {"1,000", LOOM_RIGHT, LOOM_KEEP},
                                                  {"parameters", LOOM_LEFT, LOOM_KEEP}};
    int rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < count && !rc; i++)
        rc = add_analyze_fit_row(table, &items[i], err);
    return rc;
}

static int print_analyze_fit_text(const struct invocation *call, const struct loom_ranked *items,
                                  size_t count, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = new_table(&table, call, err);
    if (!rc)
        rc = fill_analyze_fit_table(table, items, count, err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

static void explain(const struct invocation *call, size_t n)
{
    say(call,
        "fitted to %zu values (--fit %s, --select %s), ordered by the mean of the ranks by KS, AD "
        "and "
        "chi2",
        n, loom_params_text(call->params, "fit"), loom_params_text(call->params, "select"));
    say(call,
        "500, 1,000: share of 100 random subsamples of so many values that a KS test at 5 %% does "
        "not reject; discrete distributions are ranked apart");
}

static enum loom_fit_by fit_by(const struct invocation *call)
{
    int by = 0;
    while (strcmp(fit_by_names[by], loom_params_text(call->params, "fit-by")) != 0)
        by++;
    return (enum loom_fit_by)by;
}

int print_fits(const struct invocation *call, const struct loom_trace *trace, int64_t left_out,
               struct loom_pool *pool, struct loom_error *err)
{
    struct loom_rounded values = {0};
    struct loom_ranked *items = NULL;
    struct question question = {.trace = trace, .left_out = left_out};
    size_t count = 0;
    uint64_t seed = seed_of(call);
    int rc = loom_values_rounded(&values, trace, loom_params_text(call->params, "fit"), err);
    question.n = values.n;
    if (!rc)
        rc = loom_rank_fits(&items, &count, &values, fit_by(call), seed, pool, err);
    if (!rc && loom_params_flag(call->params, "json"))
        rc = print_analyze_fit_json(call, items, count, &question, err);
    else if (!rc)
        rc = print_analyze_fit_text(call, items, count, err);
    if (!rc && !loom_params_flag(call->params, "json"))
        explain(call, question.n);
    free(items);
    loom_rounded_free(&values);
    return rc;
}
