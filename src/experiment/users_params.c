/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of users who submit the jobs of a simulation: for the command and for plans. */
#include "experiment/params.h"

#include <math.h>
#include <stdlib.h>

const struct loom_param loom_feedback_params[] = {
    {.name = "feedback",
     .type = LOOM_PARAM_TEXT,
     .metavar = "BEHAVIOUR",
     .help = "how users react to service ('workloom help feedback')"},
    {.name = "session-gap",
     .type = LOOM_PARAM_REAL,
     .max = 1e6,
     .value = "60",
     .metavar = "MINUTES",
     .help = "idle time that ends a session"},
    {.name = "pause",
     .type = LOOM_PARAM_FLAG,
     .help = "long-term users pause before they start again"},
    {.name = "poor",
     .type = LOOM_PARAM_REAL,
     .min = 1,
     .max = INFINITY,
     .value = "10",
     .metavar = "SLOWDOWN",
     .help = "bounded slowdown of poor service"},
    {.name = "abort",
     .type = LOOM_PARAM_REAL,
     .max = 1,
     .value = "0",
     .metavar = "P",
     .help = "probability that it ends a session"},
    {.name = "abandon",
     .type = LOOM_PARAM_REAL,
     .max = 1,
     .value = "0",
     .metavar = "P",
     .help = "probability that it drives a user away"},
    {.name = NULL},
};

const struct loom_param loom_population_params[] = {
    LOOM_WEEKS_PARAM,      LOOM_LOAD_FACTOR_PARAM, LOOM_LONG_TERM_WEEKS_PARAM,
    LOOM_EDGE_WEEKS_PARAM, LOOM_START_PARAM,       {.name = NULL},
};

int loom_users_request_take(struct loom_users_request *out, const struct loom_params *params,
                            bool resampled, const struct loom_trace *trace, struct loom_error *err)
{
    *out = (struct loom_users_request){.population = loom_population_rule(),
                                       .pools = loom_user_rule(),
                                       .sessions = loom_session_rule(LOOM_SESSION_ARRIVAL)};
    out->sessions.threshold_s = (int64_t)round(loom_params_real(params, "session-gap") * 60);
    loom_population_take(&out->population, &out->pools, params);
    out->options = (struct loom_feedback_options){
        .behaviour = loom_params_text(params, "feedback"),
        .population = resampled ? &out->population : NULL,
        .pools = &out->pools,
        .sessions = &out->sessions,
        .pauses = loom_params_flag(params, "pause"),
        .poor = loom_params_real(params, "poor"),
        .abort = loom_params_real(params, "abort"),
        .abandon = loom_params_real(params, "abandon"),
    };
    int rc = loom_rare_take(&out->rare, &out->options.n_rare, params, trace, err);
    out->options.rare = out->rare;
    return rc;
}

void loom_users_request_release(struct loom_users_request *request)
{
    free(request->rare);
}
