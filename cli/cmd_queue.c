/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom queue: semi-open queueing models, exact and simulated. */
#include "queue.h"

#include <string.h>

enum { MIXED = 1, REOPEN = 2, FIT = 4 };

static const struct mode {
    const char *name;
    int bit;
} modes[] = {{"mixed", MIXED}, {"reopen", REOPEN}, {"fit", FIT}};

enum { N_MODES = sizeof modes / sizeof *modes };

/* Options that are not for every mode. */
static const struct {
    const char *name;
    int modes;
} limited[] = {
    {"simulate", MIXED},
    {"jobs", MIXED},
    {"lambda", MIXED | REOPEN},
    {"users", MIXED | REOPEN},
    {"think", MIXED | REOPEN},
    {"service", MIXED | REOPEN},
    {"repeat", MIXED | REOPEN},
    {"servers", MIXED | REOPEN},
    {"service-dist", MIXED | REOPEN},
    {"sweep", MIXED | REOPEN},
    {"quotients", MIXED | REOPEN},
    {"load-factor", FIT},
    {"scheduler", FIT},
    {"feedback", FIT},
};

static int find_mode(int *bit, const struct invocation *call, struct loom_error *err)
{
    const char *names[N_MODES + 1] = {0};
    for (size_t i = 0; i < N_MODES; i++) {
        names[i] = modes[i].name;
        if (strcmp(modes[i].name, call->operands[0]) == 0) {
            *bit = modes[i].bit;
            return 0;
        }
    }
    return loom_fail_unknown(err, "queueing model", call->operands[0], names,
                             "there are mixed, reopen and fit");
}

static int check_queue_options(const struct invocation *call, int mode, struct loom_error *err)
{
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
        if (!(limited[i].modes & mode) && loom_params_given(call->params, limited[i].name))
            return loom_fail(err, LOOM_EUSAGE, "'queue %s' has no option --%s", call->operands[0],
                             limited[i].name);
    if (mode == FIT && call->n_operands < 2)
        return loom_fail(err, LOOM_EUSAGE, "'queue fit' needs a trace: workloom queue fit TRACE");
    if (mode != FIT && call->n_operands > 1)
        return loom_fail(err, LOOM_EUSAGE, "'queue %s' takes no file, but was given '%s'",
                         call->operands[0], call->operands[1]);
    return 0;
}

static int study_queue(const struct invocation *call, bool mixed, struct loom_error *err)
{
    struct loom_queueing_study study = {0};
    struct loom_pool *pool = NULL;
    int rc = check_queue_outputs(call, err);
    if (!rc)
        rc = take_study(&study, call, mixed, err);
    if (!rc)
        rc = make_pool(&pool, call, err);
    if (!rc)
        rc = loom_queueing_run(study.trials, study.curves * study.points, pool, err);
    if (!rc)
        rc = report_study(call, &study, pool, err);
    loom_pool_destroy(pool);
    loom_queueing_study_free(&study);
    return rc;
}

static int queue_run(const struct invocation *call, struct loom_error *err)
{
    int mode = 0, rc = find_mode(&mode, call, err);
    if (!rc)
        rc = check_queue_options(call, mode, err);
    if (rc)
        return rc;
    return mode == FIT ? fit_queue(call, err) : study_queue(call, mode == MIXED, err);
}

static const char *const about[] = {
    "mixed: open users with one job each and N closed users, who think between jobs, at one FCFS "
    "queue; exact, and with --simulate also simulated. --repeat makes the open users repeat.",
    "reopen: users arrive, and after each job submit another with a probability that is constant "
    "or falls with the response; simulated, with exact values where p is constant.",
    "fit: lambda, N and Z of the mixed model from the temporary and long-term users of a log, S as "
    "the machine's seconds per job; lambda and all three --repeat rules of the re-open model from "
    "the sessions of its users; and the throughput that each predicts beside the one that TBUOS "
    "simulates ('workloom help resampling'), by default in 10 replications.",
    "Intervals are made of batches of one long run, or of --replications; the warm-up is left out "
    "(MSER-5). Models without a steady state are refused with the bound they break.",
    NULL,
};

static const struct example examples[] = {
    {"workloom queue mixed --lambda 0.3 --users 12 --simulate",
     "Open arrivals beside 12 closed users, exact and simulated."},
    {"workloom queue mixed --sweep N=1:60 --sweep lambda=0,0.3,0.6 --html mixed.html",
     "Response and throughput against the number of closed users."},
    {"workloom queue reopen --sweep lambda=0.1:0.95:0.05 --repeat exponential --repeat shmueli "
     "--think 1 --figures reopen",
     "Users who leave when the response is long, under growing load."},
    {"workloom queue fit log.swf.gz --load-factor 0.5,1,2",
     "Models of a log, and how well they predict other numbers of users."},
    {NULL, NULL},
};

static const struct loom_param output_files[] = {
    {.name = "csv",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write one row a model, one column a metric ('workloom list queue-metrics')"},
    REPORT_PARAMS("a page", "table"),
    {.name = NULL},
};

static const struct loom_param *const params[] = {queue_model_params, queue_run_params,
                                                  queue_fit_params,   input_params,
                                                  output_files,       table_params,
                                                  common_params,      NULL};

static const char *const headings[] = {
    [0] = "Model", [1] = "Simulation and sweeps", [2] = "Fit", [3] = "Input", [4] = "Output",
    [6] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

static const char *const forms[] = {"mixed", "reopen", "fit", NULL};

const struct command command_queue = {
    .name = "queue",
    .group = GROUP_SIMULATION,
    .summary = "analyze and simulate semi-open queueing models",
    .operands = "mixed|reopen|fit [TRACE]",
    .forms = forms,
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 2,
    .trace_operand = 1,
    .run = queue_run,
};
