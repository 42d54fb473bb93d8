/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of Lublin and Feitelson (2003): rigid jobs with sizes, runtimes that depend on them,
 * and arrivals with a daily cycle (lublin.h).
 *
 * There are three sets of parameters: for the whole workload, its batch jobs and its interactive
 * jobs (section 8.1). The variant selects one, or "mix": batch and interactive jobs with separate
 * arrivals, merged by time. Interactive jobs are in queue 0 and batch jobs in queue 1, as in the
 * published program; jobs of the whole workload are in no known queue.
 */
#include "models/lublin/lublin.h"
#include "base/draw.h"
#include "trace/queue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char name[] = "lublin2003";

enum { MIX = LOOM_LUBLIN_TYPES };
static const char *const variants[] = {"combined", "batch", "interactive", "mix", NULL};

enum { AVERAGE, SEARCH };
static const char *const tables[] = {"average", "search", NULL};

static const struct loom_param params[] = {
    LOOM_CHOICE_PARAM("variant", variants, "combined", NULL,
                      "which jobs: the whole workload, one kind, or both kinds mixed, which "
                      "is what the archive's program makes by default"),
    LOOM_CHOICE_PARAM("runtimes", loom_lublin_of_names, "runtime", NULL,
                      "whether runtime or total work is drawn"),
    LOOM_CHOICE_PARAM("representative", tables, "average", NULL,
                      "which of the two published models of runtime or work, where not fitted"),
    LOOM_CHOICE_PARAM(
        "means", loom_lublin_mean_names, "log", NULL,
        "leave sizes, runtimes and work as they are fitted, or give them the log's means, "
        "and so its load, as near as two gammas and a line allow (not by likelihood)"),
    LOOM_DAILY_PARAMS,
    {.name = NULL},
};

struct kind {
    struct loom_lublin_sizes sizes;
    struct loom_lublin_runtimes runtimes;
    struct loom_gamma_daily arrivals;
    struct loom_log_facts log;   /* of a fit to one kind: what the log has of it */
    struct loom_means_kept kept; /* by a fit that was to keep them; documents do not have it */
};

struct lublin {
    int variant;
    bool typed; /* batch and interactive jobs have parameters of their own */
    struct kind kinds[LOOM_LUBLIN_TYPES];
};

/* ---- published ------------------------------------------------------------------------------- */

/* The published program's figures, which have more digits than the tables. It gives powers of two
 * as a share of all jobs; here as a share of the parallel ones, as in the paper. */
static const struct kind published[LOOM_LUBLIN_TYPES] = {
    [LOOM_LUBLIN_COMBINED] =
        {
            .sizes = {0.244, 0.576 / (1 - 0.244), 0.8, 4.5, 7, 0.86},
            .runtimes = {LOOM_LUBLIN_RUNTIME, {4.2, 312}, {0.94, 0.03}, -0.0054, 0.78, 12},
        },
    [LOOM_LUBLIN_BATCH] =
        {
            .sizes = {0.2927, 0.6686 / (1 - 0.2927), 1.2, 5, 7, 0.875},
            .runtimes = {LOOM_LUBLIN_RUNTIME, {6.57, 639.1}, {0.823, 0.0156}, -0.003, 0.6986, 12},
        },
    [LOOM_LUBLIN_INTERACTIVE] =
        {
            .sizes = {0.1541, 0.625 / (1 - 0.1541), 1, 3, 5.5, 0.705},
            .runtimes =
                {LOOM_LUBLIN_RUNTIME, {3.8351, 7.073}, {0.6605, 0.6856}, -0.0118, 0.9156, 12},
        },
};

/* Tables 2 and 3. No work is more than the longest runtime, exp(12) s, on all 128 processors. */
#define MOST_WORK (12 + 7 * M_LN2)
static const struct loom_lublin_runtimes searched = {
    LOOM_LUBLIN_RUNTIME, {4, 500}, {1, 0.02}, -0.0054, 0.78, 12};
static const struct loom_lublin_runtimes work[] = {
    [AVERAGE] = {LOOM_LUBLIN_WORK, {10.74, 37.96}, {0.55, 0.37}, 0, 0.577, MOST_WORK},
    [SEARCH] = {LOOM_LUBLIN_WORK, {5, 45}, {1.1, 0.3}, 0, 0.7, MOST_WORK},
};

static int lublin_publish(void *state, const struct loom_params *given, struct loom_error *err)
{
    struct lublin *lublin = state;
    int of = loom_params_choice(given, "runtimes");
    int table = loom_params_choice(given, "representative");
    lublin->variant = loom_params_choice(given, "variant");
    lublin->typed = true;
    if (lublin->variant != LOOM_LUBLIN_COMBINED && (of == LOOM_LUBLIN_WORK || table == SEARCH))
        return loom_fail(err, LOOM_EUSAGE,
                         "total work and the search model were published for the combined workload "
                         "only, not for %s",
                         variants[lublin->variant]);
    for (int i = 0; i < LOOM_LUBLIN_TYPES; i++) {
        lublin->kinds[i] = published[i];
        loom_gamma_daily_publish(&lublin->kinds[i].arrivals, (enum loom_lublin_type)i,
                                 loom_params_choice(given, "cycle"));
    }
    if (of == LOOM_LUBLIN_WORK)
        lublin->kinds[LOOM_LUBLIN_COMBINED].runtimes = work[table];
    else if (table == SEARCH)
        lublin->kinds[LOOM_LUBLIN_COMBINED].runtimes = searched;
    return 0;
}

/* ---- fitting --------------------------------------------------------------------------------- */

enum { LEAST_JOBS = 50 };

/* The jobs of one kind: when they came, and the shapes of those that know theirs. */
struct population {
    int64_t *local_s, *run_s;
    int32_t *procs;
    size_t n_times, n_shapes;
};

static void free_population(struct population *jobs)
{
    free(jobs->local_s);
    free(jobs->run_s);
    free(jobs->procs);
}

static bool belongs(const struct loom_workload *jobs, size_t i, enum loom_lublin_type type)
{
    if (type == LOOM_LUBLIN_COMBINED)
        return true;
    return jobs->queue[i] >= 0 && loom_queue_is_interactive(jobs->trace, jobs->queue[i]) ==
                                      (type == LOOM_LUBLIN_INTERACTIVE);
}

static int take_population(struct population *out, const struct loom_workload *jobs,
                           enum loom_lublin_type type, struct loom_error *err)
{
    *out = (struct population){.local_s = malloc(jobs->n * sizeof *out->local_s),
                               .run_s = malloc(jobs->n * sizeof *out->run_s),
                               .procs = malloc(jobs->n * sizeof *out->procs)};
    if (!out->local_s || !out->run_s || !out->procs) {
        free_population(out);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < jobs->n; i++) {
        if (!belongs(jobs, i, type))
            continue;
        out->local_s[out->n_times++] = loom_zone_local(jobs->zone, jobs->submit_s[i]);
        if (jobs->run_s[i] < 0 || jobs->procs[i] < 1)
            continue;
        out->run_s[out->n_shapes] = jobs->run_s[i];
        out->procs[out->n_shapes++] = jobs->procs[i];
    }
    return 0;
}

/* Times are in order, and local ones are as far apart as any but where clocks change. */
static struct loom_log_facts facts_of(const struct population *jobs, int32_t procs)
{
    double span_s = (double)(jobs->local_s[jobs->n_times - 1] - jobs->local_s[0]), work_s = 0;
    for (size_t i = 0; i < jobs->n_shapes; i++)
        work_s += (double)jobs->run_s[i] * jobs->procs[i];
    if (!(span_s > 0))
        return (struct loom_log_facts){0};
    return (struct loom_log_facts){.jobs = (int64_t)jobs->n_times,
                                   .interarrival_s = span_s / (double)(jobs->n_times - 1),
                                   .load = work_s / (span_s * procs)};
}

/* Why there are too few jobs of a kind, for the end of a sentence. */
static const char *lacking(const struct loom_workload *jobs, enum loom_lublin_type type)
{
    return type == LOOM_LUBLIN_COMBINED
               ? loom_shapes_lacking(jobs)
               : "; interactive jobs are those of a queue with that word in its name, or of queue "
                 "0 without a name, and batch jobs those of all other queues";
}

static int keep_means(struct kind *kind, const struct loom_lublin_jobs *jobs, int32_t procs,
                      struct loom_error *err)
{
    struct loom_lublin_sizer sizer;
    loom_lublin_sizer_open(&sizer, &kind->sizes, procs, procs);
    return loom_lublin_runtimes_keep_means(&kind->runtimes, &kind->kept, &sizer, jobs, err);
}

/* By likelihood, means are what is most likely, and the default does not apply. */
static enum loom_lublin_means means_wanted(const struct loom_params *given)
{
    bool likelihood = loom_params_choice(given, "estimators") == LOOM_ESTIMATORS_LIKELIHOOD;
    return likelihood ? LOOM_MEANS_FREE
                      : (enum loom_lublin_means)loom_params_choice(given, "means");
}

static int fit_population(struct kind *kind, const struct population *from,
                          enum loom_lublin_type type, const struct loom_training *log,
                          struct loom_error *err)
{
    const struct loom_params *given = log->params;
    struct loom_lublin_jobs jobs = {from->run_s, from->procs, from->n_shapes};
    struct loom_lublin_fitting fitting = {.estimators = loom_params_choice(given, "estimators"),
                                          .means = (int)means_wanted(given),
                                          .procs = log->procs};
    struct loom_daily_fitting options = loom_daily_fitting(given, name);
    if (jobs.n < LEAST_JOBS)
        return loom_fail(err, LOOM_EDATA,
                         "%s needs at least %d %sjobs with known runtime and processors to be "
                         "fitted to, and there are %zu%s",
                         name, LEAST_JOBS,
                         type == LOOM_LUBLIN_COMBINED ? ""
                         : type == LOOM_LUBLIN_BATCH  ? "batch "
                                                      : "interactive ",
                         jobs.n, lacking(log->jobs, type));
    int rc = loom_lublin_sizes_fit(&kind->sizes, &jobs, &fitting, err);
    if (!rc)
        rc = loom_lublin_runtimes_fit(&kind->runtimes, &jobs, loom_params_choice(given, "runtimes"),
                                      fitting.estimators, err);
    if (!rc && fitting.means == LOOM_MEANS_LOG)
        rc = keep_means(kind, &jobs, log->procs, err);
    if (!rc)
        rc = loom_gamma_daily_fit(&kind->arrivals, from->local_s, from->n_times, &options, err);
    return rc;
}

static int fit_kind(struct lublin *lublin, enum loom_lublin_type type,
                    const struct loom_training *log, struct loom_error *err)
{
    struct population jobs;
    int rc = take_population(&jobs, log->jobs, type, err);
    if (rc)
        return rc;
    rc = fit_population(&lublin->kinds[type], &jobs, type, log, err);
    if (!rc && type != LOOM_LUBLIN_COMBINED)
        lublin->kinds[type].log = facts_of(&jobs, log->procs);
    free_population(&jobs);
    return rc;
}

/* Fit all kinds that the log has queues for; a request for another kind fails with the reason.
 * */
static int lublin_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct lublin *lublin = state;
    struct loom_error why = {0};
    lublin->variant = loom_params_choice(log->params, "variant");
    if (loom_params_given(log->params, "means") &&
        loom_params_choice(log->params, "means") == LOOM_MEANS_LOG &&
        loom_params_choice(log->params, "estimators") == LOOM_ESTIMATORS_LIKELIHOOD)
        return loom_fail(err, LOOM_EUSAGE,
                         "%s: means=log is for estimators=paper; by likelihood, means are what is "
                         "most likely",
                         name);
    int rc = fit_kind(lublin, LOOM_LUBLIN_COMBINED, log, err);
    if (rc)
        return rc;
    rc = fit_kind(lublin, LOOM_LUBLIN_BATCH, log, &why);
    if (!rc)
        rc = fit_kind(lublin, LOOM_LUBLIN_INTERACTIVE, log, &why);
    lublin->typed = rc == 0;
    if (rc == 0 || (rc == LOOM_EDATA && lublin->variant == LOOM_LUBLIN_COMBINED))
        return 0;
    return rc == LOOM_ENOMEM ? loom_fail_memory(err)
                             : loom_fail(err, rc, "variant %s cannot be fitted: %s",
                                         variants[lublin->variant], why.message);
}

/* ---- describing ------------------------------------------------------------------------------ */

static void describe_log(struct loom_log_facts *log, struct loom_codec *codec)
{
    if (!loom_codec_holds(codec, "log", log->jobs > 0))
        return;
    loom_codec_open(codec, "log");
    loom_codec_int(codec, "jobs", &log->jobs, 1, INT64_MAX);
    loom_codec_real(codec, "interarrival_s", &log->interarrival_s, 1e-12, 1e18);
    if (loom_codec_holds(codec, "load", log->load > 0))
        loom_codec_real(codec, "load", &log->load, 1e-12, 1e18);
    loom_codec_close(codec);
}

static void describe_kind(struct kind *kind, const char *key, struct loom_codec *codec)
{
    loom_codec_open(codec, key);
    describe_log(&kind->log, codec);
    loom_codec_open(codec, "sizes");
    loom_lublin_sizes_describe(&kind->sizes, codec);
    loom_codec_close(codec);
    loom_codec_open(codec, "runtimes");
    loom_lublin_runtimes_describe(&kind->runtimes, codec);
    loom_codec_close(codec);
    loom_codec_open(codec, "arrivals");
    loom_gamma_daily_describe(&kind->arrivals, codec);
    loom_codec_close(codec);
    loom_codec_close(codec);
}

static void lublin_describe(void *state, struct loom_codec *codec)
{
    struct lublin *lublin = state;
    loom_codec_word(codec, "variant", &lublin->variant, variants);
    loom_codec_flag(codec, "typed", &lublin->typed);
    if (loom_codec_reading(codec) && lublin->variant != LOOM_LUBLIN_COMBINED && !lublin->typed)
        loom_codec_refuse(codec, "variant",
                          "must be combined where there are no parameters of batch and interactive "
                          "jobs");
    for (int i = 0; i < LOOM_LUBLIN_TYPES; i++)
        if (i == LOOM_LUBLIN_COMBINED || lublin->typed)
            describe_kind(&lublin->kinds[i], loom_lublin_type_names[i], codec);
        else
            loom_codec_skip(codec, loom_lublin_type_names[i]);
}

/* ---- generating ---------------------------------------------------------------------------------
 */

enum { BATCH_QUEUE = 1, CHUNK = 8192 };

/* What is being generated: up to two kinds, by their queue. */
struct making {
    const struct loom_generation *generation;
    struct loom_lublin_sizer sizers[2];
    struct loom_lublin_runner runners[2];
    struct loom_daily_clock clocks[2];
    bool present[2];
};

static int open_kind(struct making *making, int queue, const struct kind *kind,
                     struct loom_error *err)
{
    static const char *const purposes[] = {"lublin2003 arrivals", "lublin2003 batch arrivals"};
    const struct loom_generation *generation = making->generation;
    making->present[queue] = true;
    loom_lublin_sizer_open(&making->sizers[queue], &kind->sizes, generation->procs,
                           generation->log_procs);
    int rc =
        loom_lublin_runner_open(&making->runners[queue], &kind->runtimes, &making->sizers[queue],
                                !(generation->without & LOOM_CORRELATION), err);
    if (!rc)
        rc = loom_daily_clock_open(&making->clocks[queue], &kind->arrivals, generation,
                                   purposes[queue], err);
    return rc;
}

static int open_making(struct making *making, const struct lublin *lublin,
                       const struct loom_generation *generation, struct loom_error *err)
{
    *making = (struct making){.generation = generation};
    int rc = 0;
    if (lublin->variant == LOOM_LUBLIN_COMBINED)
        return open_kind(making, 0, &lublin->kinds[LOOM_LUBLIN_COMBINED], err);
    if (lublin->variant != LOOM_LUBLIN_BATCH)
        rc = open_kind(making, 0, &lublin->kinds[LOOM_LUBLIN_INTERACTIVE], err);
    if (!rc && lublin->variant != LOOM_LUBLIN_INTERACTIVE)
        rc = open_kind(making, BATCH_QUEUE, &lublin->kinds[LOOM_LUBLIN_BATCH], err);
    return rc;
}

/* Times of all jobs, and their queues where there is such a column. */
static int make_arrivals(struct making *making, struct loom_generation *generation,
                         struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    double next_s[2] = {INFINITY, INFINITY};
    size_t n = 0;
    for (int queue = 0; queue < 2; queue++)
        if (making->present[queue])
            next_s[queue] = loom_daily_clock_next(&making->clocks[queue]);
    for (; n < generation->jobs; n++) {
        int queue = next_s[BATCH_QUEUE] < next_s[0] ? BATCH_QUEUE : 0;
        if (!(next_s[queue] < (double)generation->horizon_s))
            break;
        int rc = n < draft->n ? 0 : loom_generation_more(generation, err);
        if (rc)
            return rc;
        draft->submit_s[n] = (int64_t)next_s[queue];
        if (draft->queue)
            draft->queue[n] = queue;
        next_s[queue] = loom_daily_clock_next(&making->clocks[queue]);
    }
    return loom_draft_resize(draft, n, err);
}

/* Sizes and runtimes of one chunk, from streams of its own. */
static int make_shapes(void *context, size_t chunk, unsigned worker, struct loom_error *err)
{
    (void)worker, (void)err;
    const struct making *making = context;
    const struct loom_draft *draft = &making->generation->draft;
    struct loom_stream sizes, runtimes;
    char purpose[64];
    snprintf(purpose, sizeof purpose, "lublin2003 sizes %zu", chunk);
    loom_generation_stream(&sizes, making->generation, purpose);
    snprintf(purpose, sizeof purpose, "lublin2003 run times %zu", chunk);
    loom_generation_stream(&runtimes, making->generation, purpose);
    size_t end = (chunk + 1) * CHUNK < draft->n ? (chunk + 1) * CHUNK : draft->n;
    for (size_t i = chunk * CHUNK; i < end; i++) {
        int queue = draft->queue ? draft->queue[i] : 0;
        draft->procs[i] = loom_lublin_size(&making->sizers[queue], loom_draw_uniform(&sizes));
        draft->run_s[i] = loom_lublin_run_s(&making->runners[queue], &runtimes, draft->procs[i]);
    }
    return 0;
}

static int lublin_generate(const void *state, struct loom_generation *generation,
                           struct loom_error *err)
{
    const struct lublin *lublin = state;
    struct making making;
    int rc = open_making(&making, lublin, generation, err);
    if (!rc && lublin->variant != LOOM_LUBLIN_COMBINED)
        rc = loom_draft_detail(&generation->draft, LOOM_DETAIL_QUEUE, err);
    if (!rc)
        rc = make_arrivals(&making, generation, err);
    if (!rc)
        rc = loom_pool_for(generation->pool, (generation->draft.n + CHUNK - 1) / CHUNK, make_shapes,
                           &making, err);
    return rc;
}

/* Of total work, runtimes are what the sizes leave: they cannot do without each other. */
static unsigned lublin_traits(const void *state)
{
    const struct lublin *lublin = state;
    bool by_work = false;
    for (int i = 0; i < LOOM_LUBLIN_TYPES; i++)
        if (i == lublin->variant || (lublin->variant == MIX && i != LOOM_LUBLIN_COMBINED))
            by_work = by_work || lublin->kinds[i].runtimes.of == LOOM_LUBLIN_WORK;
    return LOOM_CYCLE | LOOM_BURSTINESS | (by_work ? 0 : LOOM_CORRELATION);
}

/* Average the week of two kinds, weighted by their arrival rates. */
static void week(const void *state, double *speed)
{
    const struct lublin *lublin = state;
    if (lublin->variant != MIX) {
        loom_gamma_daily_week(&lublin->kinds[lublin->variant].arrivals, speed);
        return;
    }
    double other[LOOM_WEEK_SLOTS];
    const struct loom_gamma_daily *batch = &lublin->kinds[LOOM_LUBLIN_BATCH].arrivals;
    const struct loom_gamma_daily *rest = &lublin->kinds[LOOM_LUBLIN_INTERACTIVE].arrivals;
    double ratio = loom_gamma_daily_gap_s(batch) / loom_gamma_daily_gap_s(rest);
    loom_gamma_daily_week(batch, speed);
    loom_gamma_daily_week(rest, other);
    for (size_t i = 0; i < LOOM_WEEK_SLOTS; i++)
        speed[i] += ratio * other[i];
}

/* Return the mean interarrival time of two merged processes. */
static double both_s(double first_s, double second_s)
{
    return 1 / (1 / first_s + 1 / second_s);
}

static double lublin_interarrival_s(const void *state)
{
    const struct lublin *lublin = state;
    const struct kind *kinds = lublin->kinds;
    if (lublin->variant != MIX)
        return loom_gamma_daily_gap_s(&kinds[lublin->variant].arrivals);
    return both_s(loom_gamma_daily_gap_s(&kinds[LOOM_LUBLIN_BATCH].arrivals),
                  loom_gamma_daily_gap_s(&kinds[LOOM_LUBLIN_INTERACTIVE].arrivals));
}

/* Of one kind, what the log has of it; of both, what it has of jobs in a queue. */
static struct loom_log_facts log_facts(const void *state)
{
    const struct lublin *lublin = state;
    const struct loom_log_facts *batch = &lublin->kinds[LOOM_LUBLIN_BATCH].log;
    const struct loom_log_facts *rest = &lublin->kinds[LOOM_LUBLIN_INTERACTIVE].log;
    if (lublin->variant != MIX)
        return lublin->kinds[lublin->variant].log;
    if (batch->jobs == 0 || rest->jobs == 0)
        return (struct loom_log_facts){0};
    return (struct loom_log_facts){
        .jobs = batch->jobs + rest->jobs,
        .interarrival_s = both_s(batch->interarrival_s, rest->interarrival_s),
        .load = batch->load + rest->load,
    };
}

/* Of two kinds, no means of both together are aimed at. */
static struct loom_means_kept means_kept(const void *state)
{
    const struct lublin *lublin = state;
    return lublin->variant == MIX ? (struct loom_means_kept){0}
                                  : lublin->kinds[lublin->variant].kept;
}

static const char *remark(const void *state)
{
#define REMARK(variant)                                                                       \
    "this is variant=" variant "; the archive's program of this model makes variant=mix by " \
    "default: batch and interactive jobs side by side"
    static const char *const remarks[] = {REMARK("combined"), REMARK("batch"),
                                          REMARK("interactive"), [MIX] = NULL};
#undef REMARK
    const struct lublin *lublin = state;
    return remarks[lublin->variant];
}

static const char *const compared[] = {"means=free", "gaps=peak", "estimators=likelihood",
                                       "runtimes=work", NULL};

static const char *const fit_only[] = {"means", "estimators", "gaps", NULL};
static const char *const publish_only[] = {"representative", NULL};

static const char *variant(const void *state)
{
    const struct lublin *lublin = state;
    return variants[lublin->variant];
}

const struct loom_model_ops loom_model_lublin2003 = {
    .info = {.name = name,
             .summary = "hyper-gamma runtimes by size, two-stage uniform sizes, a daily cycle",
             .source = "Lublin 2003",
             .defaults = LOOM_DEFAULTS_PUBLISHED,
             .can_fit = true,
             .traits = LOOM_CYCLE | LOOM_BURSTINESS | LOOM_CORRELATION,
             .params = params,
             .variants = compared},
    .state_size = sizeof(struct lublin),
    .published_jobs = 10000,
    .published_procs = 128,
    .publish = lublin_publish,
    .fit_only = fit_only,
    .publish_only = publish_only,
    .fit = lublin_fit,
    .describe = lublin_describe,
    .generate = lublin_generate,
    .traits = lublin_traits,
    .week = week,
    .interarrival_s = lublin_interarrival_s,
    .log_facts = log_facts,
    .remark = remark,
    .variant = variant,
    .means_kept = means_kept,
};
