/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The load of what a model makes: which is asked for, and how far it is from the log's. */
#include "command.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_LOAD = 1e-6, WORTH_SAYING = 1.2;

/* Without memory to find the peak, the widest job stands in for it. */
int64_t machine_procs(const struct loom_trace *trace)
{
    struct loom_machine_size size;
    return loom_trace_machine_size(&size, trace, NULL) ? loom_trace_max_procs(trace) : size.procs;
}

double offered_load(const struct loom_trace *trace)
{
    return loom_load_offered(trace, machine_procs(trace));
}

static int check_log(double load, struct loom_error *err)
{
    if (!(load > 0))
        return loom_fail(
            err, LOOM_EUSAGE,
            "--load log: there is no log whose load is known; give the load as a number");
    if (load > 1)
        return loom_fail(err, LOOM_EDATA,
                         "--load log: the log offers %.3g, more than its machine can do; ask for a "
                         "load of at most 1",
                         load);
    return 0;
}

int take_load(double *out, const struct invocation *call, double log_load, struct loom_error *err)
{
    char *end;
    const char *text = loom_params_text(call->params, "load");
    *out = 0;
    if (!text)
        return 0;
    if (strcasecmp(text, "log") == 0) {
        *out = log_load;
        return check_log(log_load, err);
    }
    *out = strtod(text, &end);
    if (end != text && !*end && *out >= LEAST_LOAD && *out <= 1)
        return 0;
    return loom_fail(err, LOOM_EUSAGE,
                     "--load must be a number between %g and 1, or log, not '%s'%s", LEAST_LOAD,
                     text,
                     end != text && !*end && *out > 1 ? ": above 1, the queue grows without end"
                                                      : "");
}

/* Few jobs, or those of a few days, are at any load by chance. */
static bool tells_load(const struct loom_trace *trace)
{
    enum { LEAST_JOBS = 1000, WEEK_S = 7 * 86400 };
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    return jobs->n >= LEAST_JOBS && jobs->submit_s[jobs->n - 1] - jobs->submit_s[0] >= WEEK_S;
}

bool say_load_missed(const struct invocation *call, const struct loom_model *model, double load,
                     const struct loom_trace *trace)
{
    double log_load = loom_model_log_load(model), ratio = load / log_load;
    if (!tells_load(trace) || !(ratio > WORTH_SAYING || ratio < 1 / WORTH_SAYING))
        return false;
    char times[40];
    snprintf(times, sizeof times, ratio < 1000 ? "%.3g" : "%.0f", ratio);
    say(call, "that is %s times the load of the log, which was %.3g%s", times, log_load,
        log_load > 1 ? ": more than its machine could do; --load 1 is the most to ask for, and "
                       "'workloom simulate --load' squeezes jobs beyond"
                     : "; --load log makes it the same by the rate of arrivals");
    return true;
}

const char *load_advice(const struct loom_model *model)
{
    double load = loom_model_log_load(model);
    if (!(load > 0))
        return "";
    if (load > 1)
        return "; its log offers more than the machine could do, and 'generate --load 1' is the "
               "most to ask for";
    return loom_model_info(model)->arrivals_only
               ? "; as the arrivals of a workload model they can be given the load of the log, by "
                 "'generate --load log'"
               : "; use 'generate --load log' for the load of the log";
}

void say_load_moved(const struct invocation *call, const struct loom_model *model,
                    const struct loom_trace *trace, unsigned without)
{
    int64_t procs = machine_procs(trace);
    if (!(offered_load(trace) > 0))
        return;
    if (without & LOOM_CORRELATION)
        say(call, "without correlation runtimes meet other sizes, and the load can be another than "
                  "with it; --load L makes both the same");
    if (procs != loom_model_procs(model))
        say(call,
            "the model is of %" PRId64 " processors, and on %" PRId64
            " its load is another one; --load L makes it the same",
            loom_model_procs(model), procs);
}
