/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same jobs at another load, for simulate. */
#include "simulate_load.h"

#include <inttypes.h>
#include <jansson.h>

static const char *const ways[] = {"size", "arrivals", "runtimes", NULL};

const struct loom_param load_params[] = {
    {.name = "load",
     .type = LOOM_PARAM_REAL,
     .min = 0.001,
     .max = LOOM_LOAD_MOST,
     .metavar = "L",
     .help = "simulate the jobs at this offered load: arrival rate times mean work of a job, over "
             "the processors"},
    {.name = "load-by",
     .type = LOOM_PARAM_CHOICE,
     .choices = ways,
     .value = "arrivals",
     .metavar = "WHAT",
     .help = "what gives way for --load: the size of the machine, the times between arrivals, or "
             "the runtimes (and the requested times with them)"},
    {.name = NULL},
};

int check_load(const struct invocation *call, struct loom_error *err)
{
    if (loom_params_given(call->params, "load-by") && !loom_params_given(call->params, "load"))
        return loom_fail(err, LOOM_EUSAGE, "--load-by needs a load: add --load");
    return 0;
}

int apply_load(struct loom_load_change *out, const struct invocation *call,
               struct loom_trace *trace, struct loom_error *err)
{
    bool sized = loom_params_given(call->params, "procs");
    out->procs = sized ? loom_params_int(call->params, "procs") : 0;
    if (!loom_params_given(call->params, "load"))
        return 0;
    enum loom_load_way way = (enum loom_load_way)loom_params_choice(call->params, "load-by");
    int rc =
        loom_load_change(out, trace, out->procs, loom_params_real(call->params, "load"), way, err);
    if (!rc)
        say(call, "load changed from %.4g to %.4g: %s times %.6g, %" PRId64 " processors",
            out->before, out->after, loom_load_way_name(way), out->factor, out->procs);
    return rc;
}

struct json_t *load_json(const struct loom_load_change *change)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:o}", "asked", loom_json_number(change->asked), "by",
                     loom_load_way_name(change->way), "before", loom_json_number(change->before),
                     "after", loom_json_number(change->after), "factor",
                     loom_json_number(change->factor));
}
