/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draw whole jobs of the log with replacement: runtime, size, request and owner of a job stay
 * together, and successive jobs are independent. Marginals and correlation are the log's; locality,
 * bags and sessions are lost. Without correlation, sizes are shuffled.
 */
#include "models/model.h"

#include <stdlib.h>

static const struct loom_param params[] = {
    LOOM_ARRIVALS_PARAM("poisson", "the arrival process"),
    {.name = NULL},
};

enum { N_WORDS = 5, LEAST_JOBS = 10 };

/* The jobs by columns. */
struct bootstrap {
    struct loom_part arrivals;
    size_t n;
    int64_t *run_s, *request_s;
    int32_t *words[N_WORDS]; /* procs, user, group, executable, queue */
};

static const char *const word_keys[N_WORDS] = {"procs", "user", "group", "executable", "queue"};

static int bootstrap_allocate(struct bootstrap *bootstrap, size_t n, struct loom_error *err)
{
    bootstrap->n = n;
    bootstrap->run_s = calloc(n, sizeof *bootstrap->run_s);
    bootstrap->request_s = calloc(n, sizeof *bootstrap->request_s);
    bool whole = bootstrap->run_s && bootstrap->request_s;
    for (size_t k = 0; k < N_WORDS; k++) {
        bootstrap->words[k] = calloc(n, sizeof **bootstrap->words);
        whole = whole && bootstrap->words[k];
    }
    return whole ? 0 : loom_fail_memory(err);
}

static void copy_job(struct bootstrap *bootstrap, size_t i, const struct loom_workload *jobs,
                     size_t job)
{
    const int32_t *const columns[N_WORDS] = {jobs->procs, jobs->user, jobs->group, jobs->executable,
                                             jobs->queue};
    bootstrap->run_s[i] = jobs->run_s[job];
    bootstrap->request_s[i] = jobs->request_s[job] < 0 ? -1 : jobs->request_s[job];
    for (size_t k = 0; k < N_WORDS; k++)
        bootstrap->words[k][i] = columns[k][job] < 0 ? -1 : columns[k][job];
}

static int bootstrap_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct bootstrap *bootstrap = state;
    struct loom_shapes shapes;
    int rc = loom_shapes_create(&shapes, log, "bootstrap", LEAST_JOBS, err);
    if (rc)
        return rc;
    rc = bootstrap_allocate(bootstrap, shapes.n, err);
    for (size_t i = 0; i < shapes.n && !rc; i++)
        copy_job(bootstrap, i, log->jobs, shapes.job[i]);
    loom_shapes_free(&shapes);
    if (!rc)
        rc = loom_part_fit(&bootstrap->arrivals, loom_params_text(log->params, "arrivals"), log,
                           err);
    return rc;
}

enum { N_COLUMNS = 2 + N_WORDS };

/* Return the most frequent column length; a damaged column differs from it. */
static size_t common_length(const size_t lengths[N_COLUMNS])
{
    size_t best = 0, most = 0;
    for (size_t i = 0; i < N_COLUMNS; i++) {
        size_t like = 0;
        for (size_t k = 0; k < N_COLUMNS; k++)
            like += lengths[k] == lengths[i];
        if (like > most) {
            most = like;
            best = lengths[i];
        }
    }
    return best;
}

static void check_lengths(struct loom_codec *codec, const size_t lengths[N_COLUMNS], size_t n)
{
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (lengths[i] != n)
            loom_codec_refuse(codec,
                              i == 0   ? "run_s"
                              : i == 1 ? "estimate_s"
                                       : word_keys[i - 2],
                              "has %zu values, and other columns have %zu", lengths[i], n);
}

static void bootstrap_describe(void *state, struct loom_codec *codec)
{
    struct bootstrap *bootstrap = state;
    size_t lengths[N_COLUMNS];
    for (size_t i = 0; i < N_COLUMNS; i++)
        lengths[i] = bootstrap->n;
    loom_codec_part(codec, "arrivals", &bootstrap->arrivals);
    loom_codec_int64s(codec, "run_s", &bootstrap->run_s, &lengths[0], 1, UINT32_MAX, 0,
                      INT64_MAX / 2);
    loom_codec_int64s(codec, "estimate_s", &bootstrap->request_s, &lengths[1], 1, UINT32_MAX, -1,
                      INT64_MAX / 2);
    loom_codec_all_procs(codec, word_keys[0], &bootstrap->words[0], &lengths[2], 1, UINT32_MAX);
    for (size_t k = 1; k < N_WORDS; k++)
        loom_codec_int32s(codec, word_keys[k], &bootstrap->words[k], &lengths[2 + k], 1, UINT32_MAX,
                          -1, INT32_MAX);
    bootstrap->n = common_length(lengths);
    if (!loom_codec_failed(codec))
        check_lengths(codec, lengths, bootstrap->n);
}

static int check_machine(const struct bootstrap *bootstrap, int32_t procs, struct loom_error *err)
{
    int32_t largest = 0;
    for (size_t i = 0; i < bootstrap->n; i++)
        if (bootstrap->words[0][i] > largest)
            largest = bootstrap->words[0][i];
    if (largest > procs)
        return loom_fail(err, LOOM_EDATA,
                         "jobs are drawn whole, and the largest has %d processors; ask for a "
                         "machine of at least that many",
                         largest);
    return 0;
}

static int bootstrap_generate(const void *state, struct loom_generation *generation,
                              struct loom_error *err)
{
    const struct bootstrap *bootstrap = state;
    struct loom_draft *draft = &generation->draft;
    int rc = check_machine(bootstrap, generation->procs, err);
    if (!rc)
        rc = loom_part_generate(&bootstrap->arrivals, generation, err);
    if (!rc)
        rc = loom_draft_detail(draft,
                               LOOM_DETAIL_REQUEST | LOOM_DETAIL_USER | LOOM_DETAIL_GROUP |
                                   LOOM_DETAIL_EXECUTABLE | LOOM_DETAIL_QUEUE,
                               err);
    if (rc)
        return rc;
    int32_t *const columns[N_WORDS] = {draft->procs, draft->user, draft->group, draft->executable,
                                       draft->queue};
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, "bootstrap jobs");
    for (size_t i = 0; i < draft->n; i++) {
        size_t job = (size_t)loom_stream_below(&stream, bootstrap->n);
        draft->run_s[i] = bootstrap->run_s[job];
        draft->request_s[i] = bootstrap->request_s[job];
        for (size_t k = 0; k < N_WORDS; k++)
            columns[k][i] = bootstrap->words[k][job];
    }
    if (generation->without & LOOM_CORRELATION)
        loom_draft_shuffle_sizes(generation, "bootstrap sizes");
    return 0;
}

static const struct loom_part *bootstrap_arrivals(const void *state)
{
    return &((const struct bootstrap *)state)->arrivals;
}

static unsigned bootstrap_traits(const void *state)
{
    return LOOM_CORRELATION | loom_part_traits(&((const struct bootstrap *)state)->arrivals);
}

static void bootstrap_clear(void *state)
{
    struct bootstrap *bootstrap = state;
    loom_part_clear(&bootstrap->arrivals);
    free(bootstrap->run_s);
    free(bootstrap->request_s);
    for (size_t k = 0; k < N_WORDS; k++)
        free(bootstrap->words[k]);
}

static const char *const compared[] = {"arrivals=mmwm", NULL};

const struct loom_model_ops loom_model_bootstrap = {
    .info = {.name = "bootstrap",
             .summary = "jobs of the log, drawn whole and at random",
             .source = "Feitelson 2002, 3",
             .can_fit = true,
             .requests = true,
             .traits = LOOM_CORRELATION,
             .params = params,
             .variants = compared},
    .state_size = sizeof(struct bootstrap),
    .fit = bootstrap_fit,
    .describe = bootstrap_describe,
    .generate = bootstrap_generate,
    .arrivals = bootstrap_arrivals,
    .traits = bootstrap_traits,
    .clear = bootstrap_clear,
};
