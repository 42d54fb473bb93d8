/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom compare --fit: a hyper-gamma of each log, and one for all of them (Lublin 5.2). */
#include "compare_output.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static const char *const columns_to_fit[] = {"log-runtime", "log-work", NULL};

const struct loom_param compare_fit_params[] = {
    {.name = "fit",
     .type = LOOM_PARAM_CHOICE,
     .choices = columns_to_fit,
     .metavar = "COLUMN",
     .help = "fit a hyper-gamma to each TRACE, and combine them to one model, instead"},
    {.name = NULL},
};

/* Rows of the table: the logs, then what combines them. */
enum { AVERAGE, SEARCH, ROUNDED, COMBINED };
static const char *const combined_names[COMBINED] = {"average", "search", "average, Erlang"};

struct fits {
    size_t n; /* logs */
    struct loom_dist *of;
    double *ks;
    struct loom_dist combined[COMBINED];
    bool known[COMBINED];
    size_t kept; /* combinations that the search chose from */
    char reason[200];
};

static int fit_one(struct fits *fits, size_t i, const struct loom_trace *trace, const char *column,
                   struct loom_error *err)
{
    struct loom_rounded values = {0};
    struct loom_fit fit;
    int rc = loom_values_rounded(&values, trace, column, err);
    if (!rc)
        rc = loom_rounded_fit(&fit, "hypergamma", &values, err);
    if (!rc)
        rc = loom_sort(values.x, values.n, err);
    if (!rc) {
        fits->of[i] = fit.dist;
        fits->ks[i] = loom_ks_one(&fit.dist, values.x, values.n);
    }
    loom_rounded_free(&values);
    return name_trace(rc, trace, err);
}

/* A search may find nothing; that is a result. */
static int combine(struct fits *fits, struct loom_error *err)
{
    struct loom_error why = {0};
    int rc = loom_hypergamma_average(&fits->combined[AVERAGE], fits->of, fits->n, err);
    if (!rc)
        rc = loom_hypergamma_round(&fits->combined[ROUNDED], &fits->combined[AVERAGE], err);
    if (rc)
        return rc;
    fits->known[AVERAGE] = fits->known[ROUNDED] = true;
    rc = loom_hypergamma_search(&fits->combined[SEARCH], &fits->kept, fits->of, fits->n, &why);
    fits->known[SEARCH] = !rc;
    if (rc)
        snprintf(fits->reason, sizeof fits->reason, "%.190s", why.message);
    return rc == LOOM_ENOMEM ? loom_fail_memory(err) : 0;
}

/* ---- text ------------------------------------------------------------------------------------ */

static int add_fit(struct loom_table *table, const char *name, const struct loom_dist *dist,
                   double ks, struct loom_error *err)
{
    static const size_t places[] = {1, 2, 4, 5, 0};
    int rc = loom_table_cell(table, err, "%s", name);
    for (size_t j = 0; j < sizeof places / sizeof *places && !rc; j++)
        rc = dist ? loom_table_cell(table, err, "%.4g", dist->params[places[j]])
                  : loom_table_cell(table, err, "-");
    if (rc)
        return rc;
    return isnan(ks) ? loom_table_cell(table, err, "-") : loom_table_cell(table, err, "%.4f", ks);
}

static int print_compare_fits_text(const struct contest *contest, const struct fits *fits,
                                   struct loom_error *err)
{
    static const struct table_column columns[] = {{"log", LOOM_LEFT, LOOM_KEEP},
                                                  {"shape 1", LOOM_RIGHT, LOOM_KEEP},
                                                  {"scale 1", LOOM_RIGHT, LOOM_KEEP},
                                                  {"shape 2", LOOM_RIGHT, LOOM_KEEP},
                                                  {"scale 2", LOOM_RIGHT, LOOM_KEEP},
                                                  {"weight 1", LOOM_RIGHT, LOOM_KEEP},
                                                  {"KS", LOOM_RIGHT, LOOM_KEEP}};
    struct loom_table *table = NULL;
    int rc = new_table(&table, contest->call, err);
    if (!rc)
        rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < fits->n && !rc; i++)
        rc = add_fit(table, loom_trace_report(contest->traces[i])->file, &fits->of[i], fits->ks[i],
                     err);
    for (size_t k = 0; k < COMBINED && !rc; k++)
        rc =
            add_fit(table, combined_names[k], fits->known[k] ? &fits->combined[k] : NULL, NAN, err);
    if (rc) {
        loom_table_destroy(table);
        return rc;
    }
    rc = print_table(table, err);
    if (!rc && fits->known[SEARCH])
        say(contest->call, "search: %zu of %d combinations have modes where the fits have them",
            fits->kept, LOOM_HYPERGAMMA_GRID);
    else if (!rc)
        say(contest->call, "search: %s", fits->reason);
    return rc;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *dist_json(const struct loom_dist *dist, double ks)
{
    const double *p = dist->params;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "shape1", loom_json_number(p[1]), "scale1",
                     loom_json_number(p[2]), "shape2", loom_json_number(p[4]), "scale2",
                     loom_json_number(p[5]), "weight1", loom_json_number(p[0]), "ks",
                     loom_json_number(ks));
}

static int print_compare_fits_json(const struct contest *contest, const struct fits *fits,
                                   struct loom_error *err)
{
    static const char *const keys[COMBINED] = {"average", "search", "average_erlang"};
    json_t *logs = json_array();
    bool failed = !logs;
    for (size_t i = 0; i < fits->n; i++) {
        json_t *log = dist_json(&fits->of[i], fits->ks[i]);
        failed |= json_object_set_new(log, "file",
                                      text_json(loom_trace_report(contest->traces[i])->file)) ||
                  json_array_append_new(logs, log);
    }
    json_t *fields =
        json_pack("{s:s, s:s, s:o, s:I, s:i}", "column",
                  loom_params_text(contest->call->params, "fit"), "select",
                  loom_params_text(contest->call->params, "select"), "logs", logs, "search_kept",
                  (json_int_t)fits->kept, "search_combinations", LOOM_HYPERGAMMA_GRID);
    for (size_t k = 0; k < COMBINED; k++)
        failed |= json_object_set_new(fields, keys[k],
                                      fits->known[k] ? dist_json(&fits->combined[k], NAN)
                                                     : json_null()) != 0;
    return print_fields(contest->call, fields, failed, err);
}

int compare_fits(const struct contest *contest, struct loom_error *err)
{
    const struct loom_params *params = contest->call->params;
    struct fits fits = {.n = contest->n_traces};
    fits.of = calloc(fits.n, sizeof *fits.of);
    fits.ks = calloc(fits.n, sizeof *fits.ks);
    int rc = fits.of && fits.ks ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < fits.n && !rc; i++)
        rc = fit_one(&fits, i, contest->traces[i], loom_params_text(params, "fit"), err);
    if (!rc)
        rc = combine(&fits, err);
    if (!rc)
        rc = loom_params_flag(params, "json") ? print_compare_fits_json(contest, &fits, err)
                                              : print_compare_fits_text(contest, &fits, err);
    free(fits.of);
    free(fits.ks);
    return rc;
}
