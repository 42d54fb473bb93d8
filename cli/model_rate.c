/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often jobs come, by a fitted model and by its log, and whether means and bags that were to be
 * kept are: whoever expects the log's load or bags from a model must hear where it has others. And
 * whether the log was long enough for any model. */
#include "command.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <workloom/models.h>

static const double WORTH_SAYING = 0.1;

static bool worth_saying(double ratio)
{
    return fabs(ratio - 1) > WORTH_SAYING;
}

/* A few jobs or days are too little for how users, days or the longest jobs vary, in any model.
 */
void say_short(const struct invocation *call, int64_t n, const struct loom_trace *trace)
{
    enum { FEW = 300, WEEK_S = 7 * 86400 };
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t first_s = INT64_MAX, last_s = INT64_MIN;
    char span[32];
    for (size_t i = 0; i < jobs->n; i++) {
        first_s = jobs->submit_s[i] < first_s ? jobs->submit_s[i] : first_s;
        last_s = jobs->submit_s[i] > last_s ? jobs->submit_s[i] : last_s;
    }
    double span_s = (double)last_s - (double)first_s;
    if (n >= FEW && span_s >= WEEK_S)
        return;
    say(call,
        "that is %" PRId64 " jobs over %s, too little to tell %s: take a longer log if you can", n,
        loom_human_seconds(span_s, span, sizeof span),
        span_s < WEEK_S ? "the days of a week from each other, or rare jobs"
                        : "what rare jobs are like");
}

void say_rate(const struct invocation *call, const struct loom_model *model, bool advise)
{
    double log_s, model_s;
    loom_model_interarrival(model, &log_s, &model_s);
    if (!worth_saying(model_s / log_s))
        return;
    say(call, "by this model a job comes every %.4g s on average, and in its log every %.4g s%s",
        model_s, log_s, advise ? load_advice(model) : "");
}

void say_means(const struct invocation *call, const struct loom_model *model)
{
    struct loom_means_kept kept = loom_model_means_kept(model);
    if (worth_saying(kept.run))
        say(call,
            "this model's mean runtime is %.3g times the log's, the nearest it comes with the "
            "log's mean size",
            kept.run);
    if (worth_saying(kept.work))
        say(call,
            "this model's mean work is %.3g times the log's, the nearest it comes with the log's "
            "mean size and runtime%s",
            kept.work, load_advice(model));
}

void say_bags(const struct invocation *call, const struct loom_model *model)
{
    struct loom_bags_kept kept = loom_model_bags_kept(model);
    if (worth_saying(kept.model / kept.log))
        say(call,
            "this model's arrivals leave no room for the log's bags: %.2g of its jobs will be in "
            "bags, and %.2g of the log's are; use a larger delta, or other arrivals",
            kept.model, kept.log);
}

json_t *rate_json(const struct loom_model *model)
{
    double log_s, model_s;
    loom_model_interarrival(model, &log_s, &model_s);
    return json_pack("{s:o, s:o}", "log", loom_json_number(log_s), "model",
                     loom_json_number(model_s));
}

json_t *means_json(const struct loom_model *model)
{
    struct loom_means_kept kept = loom_model_means_kept(model);
    return json_pack("{s:o, s:o}", "run", loom_json_number(kept.run), "work",
                     loom_json_number(kept.work));
}

json_t *bags_json(const struct loom_model *model)
{
    struct loom_bags_kept kept = loom_model_bags_kept(model);
    return json_pack("{s:o, s:o}", "log", loom_json_number(kept.log), "model",
                     loom_json_number(kept.model));
}
