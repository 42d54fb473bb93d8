/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcomes as comma-separated values: one header line, one row a run, one column a metric of the
 * dictionary, so that data frames read them without arguments. Metrics that no run has are left
 * out; a value that is not there is an empty field.
 */
#include "report/outcomes.h"
#include "trace/number.h"

#include <math.h>
#include <string.h>

/* Text that goes to an output piece by piece; the first failure ends it. */
struct writer {
    struct loom_output *out;
    struct loom_error *err;
    int rc;
};

static void put(struct writer *to, const char *text, size_t length)
{
    if (!to->rc)
        to->rc = loom_output_write(to->out, text, length, to->err);
}

/* Quote a field that has a separator, a quote or a line end in it (RFC 4180). */
static void put_text(struct writer *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        put(to, text, strlen(text));
        return;
    }
    put(to, "\"", 1);
    for (const char *at = text; *at; at++)
        put(to, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    put(to, "\"", 1);
}

/* Leave the field of a value that is no finite number empty, as JSON has null. */
static void put_number(struct writer *to, double value)
{
    char text[LOOM_NUMBER_PRINT];
    if (isfinite(value))
        put(to, text, loom_number_print_real(text, value));
}

static bool any_has(const struct loom_outcome *const *outcomes, size_t n,
                    enum loom_metric_group group)
{
    for (size_t i = 0; i < n; i++)
        if (loom_outcome_has(outcomes[i], group))
            return true;
    return false;
}

/* What identifies a run, before its metrics. */
static void put_run(struct writer *to, const struct loom_outcome *outcome, const char *trace,
                    const char *source)
{
    put_text(to, trace);
    put(to, ",", 1);
    put_text(to, source);
    put(to, ",", 1);
    put_text(to, outcome->policy);
    put(to, ",", 1);
    put_number(to, outcome->load.asked > 0 ? outcome->load.asked : NAN);
    put(to, ",", 1);
    put_number(to, (double)outcome->replication);
    put(to, ",", 1);
    put_number(to, (double)outcome->seed);
}

int loom_outcomes_csv(struct loom_output *out, const struct loom_outcome *const *outcomes, size_t n,
                      const char *trace, const char *source, struct loom_error *err)
{
    static const char first[] = "trace,source,scheduler,load,replication,seed";
    struct writer to = {.out = out, .err = err};
    const struct loom_metric *metric;
    bool shown[LOOM_METRIC_GROUPS];
    for (size_t group = 0; group < LOOM_METRIC_GROUPS; group++)
        shown[group] = any_has(outcomes, n, (enum loom_metric_group)group);
    put(&to, first, sizeof first - 1);
    for (size_t m = 0; (metric = loom_metric_at(m)); m++)
        if (shown[metric->group]) {
            put(&to, ",", 1);
            put(&to, metric->key, strlen(metric->key));
        }
    put(&to, "\n", 1);
    for (size_t i = 0; i < n; i++) {
        put_run(&to, outcomes[i], trace, source);
        for (size_t m = 0; (metric = loom_metric_at(m)); m++)
            if (shown[metric->group]) {
                put(&to, ",", 1);
                put_number(&to, loom_outcome_metric(outcomes[i], metric));
            }
        put(&to, "\n", 1);
    }
    return to.rc;
}
