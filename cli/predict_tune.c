/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training for the command predict. */
#include "predict.h"

#include <stdlib.h>
#include <string.h>

const struct loom_param tune_params[] = {
    {.name = "tune",
     .type = LOOM_PARAM_TEXT,
     .metavar = "NAME",
     .help = "train this predictor (minh2010, ibl) on the first part of the jobs; parameters given "
             "with "
             "it, as ibl:k=5, keep their values"},
    {.name = "output",
     .letter = 'o',
     .type = LOOM_PARAM_TEXT,
     .value = "-",
     .metavar = "FILE",
     .help = "write the trained parameters (JSON) to FILE, for --predictor FILE"},
    {.name = "population",
     .type = LOOM_PARAM_INT,
     .min = 2,
     .max = 10000,
     .value = "50",
     .metavar = "N",
     .help = "sets of parameters in a generation"},
    {.name = "generations",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 10000,
     .value = "30",
     .metavar = "N",
     .help = "generations at most; training stops after 10 without improvement"},
    SEED_PARAM("seed of the training"),
    {.name = NULL},
};

int check_tuning(const struct invocation *call, struct loom_error *err)
{
    static const char *const only[] = {"output", "population", "generations", "seed", NULL};
    const char *to = loom_params_text(call->params, "output");
    if (loom_params_given(call->params, "tune")) {
        if (loom_params_given(call->params, "predictor"))
            return loom_fail(err, LOOM_EUSAGE,
                             "--tune excludes --predictor; train first, then evaluate with "
                             "--predictor FILE");
        int rc = refuse_same_file(call->operands[0], to, err);
        return rc ? rc : loom_output_check(to, err);
    }
    return refuse_options(call, only, "requires --tune", err);
}

static int save_tuning(const struct loom_tuning *tuning, const struct invocation *call,
                       const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_output *out = NULL;
    char *origin = origin_text(loom_trace_report(trace), call);
    int rc = origin ? 0 : loom_fail_memory(err);
    if (!rc)
        rc = loom_output_create(&out, loom_params_text(call->params, "output"), err);
    if (!rc)
        rc = loom_tuning_save(tuning, out, origin, err);
    free(origin);
    return end_output(out, rc, call, err);
}

int tune_predictor(const struct invocation *call, const struct loom_trace *trace,
                   struct loom_pool *pool, struct loom_error *err)
{
    const struct loom_params *params = call->params;
    struct loom_tune_options options = loom_tune_options();
    struct loom_tuning tuning;
    options.train = loom_params_real(params, "train");
    options.population = (size_t)loom_params_int(params, "population");
    options.generations = (size_t)loom_params_int(params, "generations");
    options.seed = seed_of(call);
    options.pool = pool;
    options.progress = loom_progress_create("training", "sets of parameters",
                                            options.population * options.generations,
                                            loom_params_flag(params, "quiet"));
    int rc = loom_tune(&tuning, loom_params_text(params, "tune"), trace, &options, err);
    loom_progress_destroy(options.progress);
    if (rc)
        return name_trace(rc, trace, err);
    char jobs[JOBS_SIZE];
    rc = save_tuning(&tuning, call, trace, err);
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc)
        say(call, "trained %s on %s in %zu generations, fitness %.4f%s%s", tuning.info->name,
            jobs_text(tuning.jobs, jobs, sizeof jobs), tuning.generations, tuning.fitness,
            strcmp(loom_params_text(params, "output"), "-") == 0 ? "" : ", written to ",
            strcmp(loom_params_text(params, "output"), "-") == 0
                ? ""
                : loom_params_text(params, "output"));
    loom_tuning_free(&tuning);
    return rc;
}
