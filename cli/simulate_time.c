/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queue and utilization over the time of a simulation, as rows and as JSON. */
#include "simulate_time.h"
#include "simulate.h"

#include <jansson.h>
#include <stdio.h>

static const int percents[LOOM_N_PERCENTS] = LOOM_PERCENTS;

/* ---- rows ------------------------------------------------------------------------------------ */

static int add_window(struct loom_table *table, const struct loom_sim_rates *rates,
                      struct loom_error *err)
{
    const struct result rows[] = {
        {NULL, "utilization, measured window", "", rates->utilization},
        {NULL, "throughput, measured window", "jobs a day", rates->throughput_jobs_per_day},
        {NULL, "jobs waiting, mean, measured window", "", rates->queue_mean},
        {NULL, "jobs waiting, most, measured window", "", (double)rates->queue_max},
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !rc; i++)
        rc = add_result_row(table, &rows[i], err);
    return rc;
}

int add_time_rows(struct loom_table *table, const struct loom_sim_rates *rates, bool trimmed,
                  struct loom_error *err)
{
    int rc = trimmed ? add_window(table, rates, err) : 0;
    for (size_t p = 0; p < LOOM_N_PERCENTS && !rc; p++) {
        char label[64];
        const struct result row = {NULL, label, "", rates->queue_percentile[p]};
        snprintf(label, sizeof label, "jobs waiting, %d%% of the time at most", percents[p]);
        rc = add_result_row(table, &row, err);
    }
    return rc;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *window_json(const struct loom_sim_rates *rates)
{
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:I}", "from_s", (json_int_t)rates->window.from_s,
                     "to_s", (json_int_t)rates->window.to_s, "utilization",
                     loom_json_number(rates->utilization), "throughput_jobs_per_day",
                     loom_json_number(rates->throughput_jobs_per_day), "queue_mean",
                     loom_json_number(rates->queue_mean), "queue_max",
                     (json_int_t)rates->queue_max);
}

/* Up to the last bin in which any time was spent. */
static json_t *shares_json(const struct loom_sim_rates *rates)
{
    json_t *list = json_array();
    size_t n = LOOM_QUEUE_BINS;
    int failed = !list;
    while (n > 0 && rates->queue_share[n - 1] <= 0)
        n--;
    for (size_t bin = 0; bin < n && !failed; bin++) {
        json_int_t to = bin == 0 ? 0 : (json_int_t)1 << (bin - 1);
        failed = json_array_append_new(list, json_pack("{s:I, s:I, s:o}", "from",
                                                       bin < 2 ? to : to / 2 + 1, "to", to, "share",
                                                       loom_json_number(rates->queue_share[bin])));
    }
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *levels_json(const struct loom_sim_series *series)
{
    json_t *utilization = json_array(), *mean = json_array(), *most = json_array();
    int failed = 0;
    for (size_t i = 0; i < series->count && !failed; i++) {
        const struct loom_sim_level *level = &series->levels[i];
        failed |= json_array_append_new(utilization, loom_json_number(level->utilization));
        failed |= json_array_append_new(mean, loom_json_number(level->queue_mean));
        failed |= json_array_append_new(most, json_integer(level->queue_max));
    }
    json_t *object = json_pack("{s:I, s:I, s:o, s:o, s:o}", "from_s", (json_int_t)series->from_s,
                               "step_s", (json_int_t)series->step_s, "utilization", utilization,
                               "queue_mean", mean, "queue_max", most);
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *series_json(const struct loom_sim *sim)
{
    struct loom_sim_series *series = NULL;
    json_t *object = loom_sim_series_create(&series, sim, NULL) ? NULL : levels_json(series);
    loom_sim_series_destroy(series);
    return object;
}

json_t *time_json(const struct loom_sim *sim, const struct loom_sim_rates *rates)
{
    json_t *queue =
        json_pack("{s:o, s:o}", "percentiles", percentiles_json(rates->queue_percentile),
                  "distribution", shares_json(rates));
    return json_pack("{s:o, s:o, s:o}", "window", window_json(rates), "queue_length", queue,
                     "over_time", series_json(sim));
}
