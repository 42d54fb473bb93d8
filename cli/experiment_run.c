/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom experiment run: all runs of a plan that its database does not have yet. */
#include "experiment.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct loom_param study_params[] = {
    {.name = "db",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "database of results (default: the plan's name with .db, or study.db)"},
    {.name = "shard",
     .type = LOOM_PARAM_TEXT,
     .metavar = "I/N",
     .help = "run the I-th of N parts; 'experiment merge' joins their databases"},
    {.name = "dry-run",
     .type = LOOM_PARAM_FLAG,
     .help = "print cells, runs, and time and memory by trial runs"},
    {.name = "retry-failed", .type = LOOM_PARAM_FLAG, .help = "run again what failed"},
    {.name = "until",
     .type = LOOM_PARAM_TEXT,
     .metavar = "half-width=P%",
     .help = "stop when the mean of --metric is known to P % in all cells, or at --replications "
             "(then by "
             "default 1000)"},
    {.name = "metric",
     .type = LOOM_PARAM_TEXT,
     .value = "bounded_slowdown_mean",
     .metavar = "KEY",
     .help = "metric that --until is about"},
    {.name = NULL},
};

/* ---- stopping -------------------------------------------------------------------------------- */

static volatile int stop;

/* The first Ctrl-C lets running simulations finish, the second one does not. */
static void on_stop(int number)
{
    stop = 1;
    signal(number, SIG_DFL);
}

static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            signal(signals[i], on_stop);
    }
}

/* ---- progress -------------------------------------------------------------------------------- */

/* What has been shown, and what --until waits for. */
struct display {
    bool quiet, terminal;
    double shown_s;
    struct loom_until until;
    struct loom_error trouble; /* of until */
};

static const char *duration_text(double seconds, char *buf, size_t size)
{
    int64_t s = llround(seconds);
    if (s >= 3600)
        snprintf(buf, size, "%" PRId64 ":%02d:%02d", s / 3600, (int)(s / 60 % 60), (int)(s % 60));
    else
        snprintf(buf, size, "%d:%02d", (int)(s / 60), (int)(s % 60));
    return buf;
}

/* On a terminal a line that changes; elsewhere a line a minute. */
static void show_progress(void *context, const struct loom_study_progress *progress)
{
    static const double TERMINAL_S = 0.2, ELSEWHERE_S = 60;
    struct display *display = context;
    int64_t done = progress->done + progress->failed, left = progress->runs - done;
    double rate = progress->seconds > 0 ? (double)done / progress->seconds : 0;
    char failed[40] = "", time_left[40];
    if (display->quiet ||
        progress->seconds < display->shown_s + (display->terminal ? TERMINAL_S : ELSEWHERE_S))
        return;
    display->shown_s = progress->seconds;
    if (progress->failed > 0)
        snprintf(failed, sizeof failed, ", %" PRId64 " failed", progress->failed);
    fprintf(stderr, "%s%" PRId64 " of %" PRId64 " runs%s, %.3g runs/s, %s left%s",
            display->terminal ? "\r\033[K" : "", done, progress->runs, failed, rate,
            duration_text(rate > 0 ? (double)left / rate : 0, time_left, sizeof time_left),
            display->terminal ? "" : "\n");
}

/* ---- options --------------------------------------------------------------------------------- */

static int take_shard(struct loom_study_options *out, const struct invocation *call,
                      struct loom_error *err)
{
    const char *text = loom_params_text(call->params, "shard");
    char rest;
    if (!text)
        return 0;
    if (sscanf(text, "%" SCNd64 "/%" SCNd64 "%c", &out->shard, &out->shards, &rest) != 2 ||
        out->shard < 1 || out->shards < out->shard || out->shards > 1000000)
        return loom_fail(err, LOOM_EUSAGE,
                         "--shard wants I/N with I from 1 to N, as in 2/4, not '%s'", text);
    return 0;
}

/* Whether all cells are known well enough; a failure ends the study, too, and is reported then. */
static bool is_enough(void *context, const char *db, int64_t replications)
{
    struct display *display = context;
    return loom_until_check(&display->until, db, replications, &display->trouble) != 0 ||
           display->until.reached;
}

static int take_until(struct loom_study_options *out, struct display *display,
                      const struct invocation *call, struct loom_error *err)
{
    const char *text = loom_params_text(call->params, "until");
    if (!text)
        return loom_params_given(call->params, "metric")
                   ? loom_fail(err, LOOM_EUSAGE, "--metric is for --until half-width=5%%")
                   : 0;
    display->until.metric = loom_params_text(call->params, "metric");
    int rc = loom_metric_check(display->until.metric, "metric", err);
    if (rc)
        return rc;
    if (loom_params_given(call->params, "shard"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--until looks at all runs together: leave out --shard, or use mpirun");
    out->enough = is_enough;
    return loom_until_parse(&display->until.rule, text, err);
}

/* ---- what it came to ------------------------------------------------------------------------- */

/* Warn of failed runs with the first cause; fail if all runs of this call failed. */
static int report_failures(const struct loom_study_report *report, const char *db,
                           struct loom_error *err)
{
    const struct loom_study_progress *progress = &report->progress;
    struct loom_store_failure failure = {.message = "unknown"};
    struct loom_store *store = NULL;
    bool found = false;
    if (progress->failed == 0)
        return 0;
    int rc = loom_store_open(&store, db, err);
    if (!rc)
        rc = find_failure(&failure, &found, store, 0, err);
    loom_store_close(store);
    if (rc)
        return rc;
    if (progress->done == 0 && !report->stopped)
        return loom_fail(err, LOOM_EDATA, "all runs failed (%" PRId64 "), the first: %s",
                         progress->failed, failure.message);
    warn("%" PRId64 " %s failed, the first: %s; see 'workloom experiment status %s'; "
         "--retry-failed runs them again",
         progress->failed, progress->failed == 1 ? "run" : "runs", failure.message, db);
    return 0;
}

static void say_end(const struct invocation *call, const struct loom_study_report *report,
                    const char *db)
{
    const struct loom_study_progress *progress = &report->progress;
    char took[40];
    if (report->stopped)
        say(call,
            "stopped with %" PRId64 " of %" PRId64
            " runs done; nothing is lost: the same command goes on",
            progress->done + progress->failed, progress->runs);
    else
        say(call, "%" PRId64 " %s in %s, %" PRId64 " were there; results are in %s", progress->done,
            progress->done == 1 ? "run" : "runs",
            duration_text(progress->seconds, took, sizeof took), progress->skipped, db);
}

/* An estimate, up to two digits: "about 1,300 replications". */
static const char *estimate_text(int64_t replications, char *buf, size_t size)
{
    static const int64_t MOST = 1000000;
    char count[LOOM_HUMAN];
    int64_t unit = 1;
    while (replications / unit >= 100)
        unit *= 10;
    if (replications > MOST)
        snprintf(buf, size, "more than %s replications",
                 loom_human_count(MOST, count, sizeof count));
    else
        snprintf(buf, size, "about %s replications",
                 loom_human_count((replications + unit - 1) / unit * unit, count, sizeof count));
    return buf;
}

/* Say how well the mean is known, and how many replications would do where enough are there to
 * estimate that. */
static void say_until(const struct invocation *call, const struct loom_until *until)
{
    char percent[LOOM_HUMAN], estimate[96];
    loom_human_percent(100 * until->relative, percent, sizeof percent);
    if (until->reached && until->fewest == 0)
        say(call, "no cell has more than one replication: --until has nothing to look at");
    else if (until->reached)
        say(call, "enough: the mean of %s is known to %s %% or better in all cells", until->metric,
            percent);
    else if (until->fewest < (int64_t)until->rule.least)
        say(call, "not enough: a cell has %" PRId64 " %s with %s, and at least %zu are needed",
            until->fewest, until->fewest == 1 ? "replication" : "replications", until->metric,
            until->rule.least);
    else if (until->relative > 0)
        say(call, "not enough: the mean of %s is %sknown to %s %%%s; it may take %s", until->metric,
            until->relative > 1 ? "not even " : "", until->relative > 1 ? "100" : percent,
            until->relative > 1 ? "" : " only",
            estimate_text(until->replications, estimate, sizeof estimate));
}

enum { MOST_REPLAYED = 16 }; /* policies: a plan may have hundreds */

static bool has_text(const char *const *texts, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(texts[i], text) == 0)
            return true;
    return false;
}

/* Collect the policies of the cells of one log, from one on. */
static size_t list_replayed(const char **policies, const struct loom_plan *plan, size_t cell,
                            const struct loom_trace *trace)
{
    struct loom_scenario scenario;
    size_t n = 0;
    for (; n < MOST_REPLAYED && loom_plan_scenario(plan, cell, 0, &scenario); cell++)
        if (scenario.trace == trace && !scenario.system && !has_text(policies, n, scenario.policy))
            policies[n++] = scenario.policy;
    return n;
}

/* Say how far a simulation of each log is from it, under the nearest of its policies. A resampled
 * log or one that a model is fitted to is not at hand. */
static void say_cautions(const struct invocation *call, const struct loom_plan *plan,
                         struct loom_pool *pool)
{
    const char *policies[MOST_REPLAYED];
    char sentence[CAUTION_SIZE];
    const struct loom_trace *last = NULL;
    struct loom_scenario scenario;
    bool heard = !loom_params_flag(call->params, "quiet");
    for (size_t cell = 0; heard && loom_plan_scenario(plan, cell, 0, &scenario); cell++) {
        bool seen = scenario.trace == last;
        last = scenario.trace;
        if (!scenario.trace || scenario.system || seen)
            continue;
        const struct loom_replay_options options = {
            .trace = scenario.trace,
            .policies = policies,
            .n_policies = list_replayed(policies, plan, cell, scenario.trace),
            .complete = true,
            .schedulers = call->schedulers,
            .overrun = scenario.overrun,
            .pool = pool,
        };
        if (replay_caution(sentence, sizeof sentence, &options, NULL) == 0)
            say_sentence((void *)call, sentence);
    }
}

/* Say which jobs of each log are selected. */
static void say_logs(const struct invocation *call, const struct loom_plan *plan)
{
    const struct loom_plan_log *log;
    char jobs[JOBS_SIZE], out[LOOM_HUMAN], text[160];
    for (size_t i = 0; (log = loom_plan_log(plan, i)); i++) {
        say(call, "%s: selected %s (--select %s), left out %s", log->path,
            jobs_text(log->jobs, jobs, sizeof jobs), log->select,
            loom_human_count(log->left_out, out, sizeof out));
        if (log->machine.source != LOOM_SIZE_HEADER && loom_size_usable(&log->machine))
            say(call, "%s: %s", log->path, loom_size_note(&log->machine, text, sizeof text));
    }
}

/* Warn of the first load that was probably meant in percent. */
static void warn_loads(const struct loom_plan *plan)
{
    struct loom_scenario scenario;
    for (size_t cell = 0; loom_plan_scenario(plan, cell, 0, &scenario); cell++)
        if (warn_load(scenario.load))
            return;
}

static int run_study(const struct invocation *call, struct loom_pool *pool, const char *db,
                     struct loom_error *err)
{
    struct display display = {.quiet = loom_params_flag(call->params, "quiet"),
                              .terminal = isatty(STDERR_FILENO)};
    struct loom_study_options options = {
        .db = db,
        .command = call->line,
        .pool = pool,
        .retry_failed = loom_params_flag(call->params, "retry-failed"),
        .stop = &stop,
        .progress = show_progress,
        .context = &display,
    };
    struct loom_study_report report = {0};
    struct loom_plan *plan = NULL;
    int rc = take_shard(&options, call, err);
    if (!rc)
        rc = take_until(&options, &display, call, err);
    if (!rc)
        rc = take_plan(&plan, call, pool, err);
    if (!rc && loom_params_flag(call->params, "dry-run")) {
        rc = print_estimate(call, plan, pool, err);
        if (!rc)
            say_logs(call, plan);
        loom_plan_destroy(plan);
        return rc;
    }
    catch_signals();
    if (!rc)
        warn_loads(plan);
    if (!rc)
        rc = loom_study_run(&report, plan, &options, err);
    if (display.terminal && display.shown_s > 0)
        fputs("\r\033[K", stderr);
    if (!rc && display.trouble.code) {
        *err = display.trouble;
        rc = err->code;
    }
    bool none = report.progress.done == 0 && report.progress.failed > 0 && !report.stopped;
    if (!rc && !none)
        say_end(call, &report, db);
    if (!rc)
        rc = report_failures(&report, db, err);
    if (!rc && options.enough && !report.stopped)
        say_until(call, &display.until);
    if (!rc)
        say_logs(call, plan);
    if (!rc)
        say_cautions(call, plan, pool);
    loom_plan_destroy(plan);
    return rc;
}

/* Of processes started by mpirun, the first alone speaks. */
static void silence_others(void)
{
    const char *process = getenv("OMPI_COMM_WORLD_RANK");
    if (!process)
        process = getenv("PMI_RANK");
    if (process && atol(process) > 0 && !freopen("/dev/null", "w", stderr))
        fclose(stderr);
}

static int run_experiment(const struct invocation *call, struct loom_error *err)
{
    struct loom_pool *pool = NULL;
    silence_others();
    char *db = experiment_database(call);
    int rc = db ? make_pool(&pool, call, err) : loom_fail_memory(err);
    if (!rc)
        rc = run_study(call, pool, db, err);
    loom_pool_destroy(pool);
    free(db);
    return rc;
}

static const char *const about[] = {
    "PLAN is a YAML file of the same words as the options, 'workloom help experiments'. An option "
    "with several values makes a cell of each, and all such options are crossed. Options given "
    "beside PLAN stand in place of its words.",
    "Runs that the database has are not repeated: started again after Ctrl-C or a crash, or with "
    "another policy or more replications, the command runs what is missing.",
    NULL,
};

static const struct example examples[] = {
    {"workloom experiment run --trace log.swf.gz --resample -s easy -s conservative --load "
     "0.7:0.9:0.1 --replications 50 --db study.db",
     "Two policies on 50 variants of a log at three loads."},
    {"workloom experiment run plan.yaml --threads 8", "A plan from a file."},
    {"mpirun -n 64 workloom experiment run plan.yaml", "On many machines."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {PLAN_PARAMS, study_params, table_params,
                                                  common_params, NULL};

static const char *const headings[] = {
    PLAN_HEADINGS,
    [PLAN_LISTS] = "Running",
    [PLAN_LISTS + 2] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_experiment_run = {
    .name = "experiment run",
    .group = GROUP_SIMULATION,
    .summary = "run many simulations, with results in a database",
    .operands = "[PLAN]",
    .about = about,
    .params = params,
    .headings = headings,
    .words = loom_plan_params,
    .examples = examples,
    .max_operands = 1,
    .run = run_experiment,
};
