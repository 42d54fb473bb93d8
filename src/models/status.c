/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How jobs end, by class of runtime (status.h). */
#include "models/status.h"
#include "base/search.h"
#include "base/sort.h"
#include "models/requests/request_model.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = 20, LOWEST = -1, HIGHEST = LOOM_STATUS_CANCELLED, KINDS = HIGHEST - LOWEST + 1 };

static size_t status_class_of(const struct loom_status_model *model, int64_t run_s)
{
    size_t above = loom_lower_bound(model->from_s, model->classes, run_s + 1);
    return above > 0 ? above - 1 : 0;
}

/* ---- fitting --------------------------------------------------------------------------------- */

/* Return the status, or unknown if the format does not define it. */
static int32_t known_status(int32_t status)
{
    return status >= 0 && status <= HIGHEST ? status : -1;
}

/* Count the jobs with a runtime by status. */
static void count_kinds(size_t counts[KINDS], const struct loom_jobs *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        counts[known_status(jobs->status[i]) - LOWEST] += jobs->run_s[i] >= 0;
}

static bool says_something(const size_t counts[KINDS])
{
    size_t others = 0, completed = counts[LOOM_STATUS_COMPLETED - LOWEST];
    for (int32_t status = 0; status <= HIGHEST; status++)
        others += status != LOOM_STATUS_COMPLETED ? counts[status - LOWEST] : 0;
    return others > 0 || (completed > 0 && counts[-1 - LOWEST] > 0);
}

static int status_reserve(struct loom_status_model *model, size_t classes, size_t kinds,
                          struct loom_error *err)
{
    model->status = calloc(kinds, sizeof *model->status);
    model->from_s = calloc(classes, sizeof *model->from_s);
    model->jobs = calloc(classes * kinds, sizeof *model->jobs);
    if (model->status && model->from_s && model->jobs)
        return 0;
    loom_status_model_clear(model);
    return loom_fail_memory(err);
}

/* Set the class borders to quantiles of the runtimes; equal borders are merged. */
static int cut_classes(struct loom_status_model *model, const struct loom_jobs *jobs,
                       struct loom_error *err)
{
    size_t n = 0;
    int64_t *run_s = malloc(jobs->n * sizeof *run_s);
    if (!run_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->run_s[i] >= 0)
            run_s[n++] = jobs->run_s[i];
    loom_sort_int64(run_s, n);
    model->classes = 1;
    for (size_t k = 1; k < CLASSES; k++) {
        int64_t cut_s = run_s[k * n / CLASSES], last_s = model->from_s[model->classes - 1];
        if (cut_s > last_s && cut_s > run_s[0])
            model->from_s[model->classes++] = cut_s;
    }
    free(run_s);
    return 0;
}

static size_t status_kind_of(const struct loom_status_model *model, int32_t status)
{
    size_t kind = 0;
    while (kind + 1 < model->kinds && model->status[kind] != status)
        kind++;
    return kind;
}

int loom_status_model_fit(struct loom_status_model *out, const struct loom_trace *trace,
                          struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    size_t counts[KINDS] = {0};
    *out = (struct loom_status_model){0};
    count_kinds(counts, jobs);
    if (!says_something(counts))
        return 0;
    int rc = status_reserve(out, CLASSES, KINDS, err);
    if (!rc)
        rc = cut_classes(out, jobs, err);
    if (rc) {
        loom_status_model_clear(out);
        return rc;
    }
    for (int32_t status = LOWEST; status <= HIGHEST; status++)
        if (counts[status - LOWEST] > 0)
            out->status[out->kinds++] = status;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->run_s[i] >= 0)
            out->jobs[status_class_of(out, jobs->run_s[i]) * out->kinds +
                      status_kind_of(out, known_status(jobs->status[i]))]++;
    return 0;
}

/* ---- documents ------------------------------------------------------------------------------- */

static void describe_class(struct loom_status_model *model, size_t class, struct loom_codec *codec)
{
    int64_t *jobs = model->jobs + class * model->kinds, sum = 0;
    int64_t *read = loom_codec_reading(codec) ? NULL : jobs;
    size_t kinds = model->kinds;
    int64_t least_s = class > 0 ? model->from_s[class - 1] + 1 : 0;
    loom_codec_int(codec, "from_s", &model->from_s[class], class > 0 ? least_s : 0,
                   class > 0 ? INT64_MAX / 2 : 0);
    loom_codec_int64s(codec, "jobs", &read, &kinds, kinds, kinds, 0, INT64_MAX / 64);
    if (!loom_codec_reading(codec))
        return;
    for (size_t k = 0; k < kinds && read && !loom_codec_failed(codec); k++)
        sum += jobs[k] = read[k];
    if (sum == 0)
        loom_codec_refuse(codec, "jobs", "must have a job");
    free(read);
}

void loom_status_model_describe(void *state, struct loom_codec *codec)
{
    struct loom_status_model *model = state;
    loom_codec_int32s(codec, "values", &model->status, &model->kinds, 1, KINDS, LOWEST, HIGHEST);
    loom_codec_list(codec, "classes", &model->classes, 1, 10000);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec)) {
        free(model->from_s);
        free(model->jobs);
        model->from_s = calloc(model->classes, sizeof *model->from_s);
        model->jobs = calloc(model->classes * model->kinds, sizeof *model->jobs);
        if (!model->from_s || !model->jobs)
            loom_codec_refuse(codec, "classes", "are more than memory holds");
    }
    for (size_t i = 0; i < model->classes && !loom_codec_failed(codec); i++) {
        loom_codec_item(codec, i);
        describe_class(model, i, codec);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
}

/* ---- applying -------------------------------------------------------------------------------- */

/* The probability of each kind by class, and the number of jobs of each class. */
struct chances {
    double *of;        /* classes x kinds */
    double *jobs;      /* by class */
    double *all, *had; /* by kind: jobs wanted in all, and expected so far */
};

static int open_chances(struct chances *out, const struct loom_status_model *model,
                        struct loom_error *err)
{
    size_t n = model->classes * model->kinds;
    out->of = calloc(n + model->classes + 2 * model->kinds, sizeof *out->of);
    if (!out->of)
        return loom_fail_memory(err);
    out->jobs = out->of + n;
    out->all = out->jobs + model->classes;
    out->had = out->all + model->kinds;
    for (size_t i = 0; i < n; i++)
        out->of[i] = (double)model->jobs[i];
    return 0;
}

static void scale_class(double *of, size_t kinds)
{
    double sum = 0;
    for (size_t k = 0; k < kinds; k++)
        sum += of[k];
    for (size_t k = 0; k < kinds && sum > 0; k++)
        of[k] /= sum;
}

static void expected_chances(struct chances *chances, const struct loom_status_model *model)
{
    for (size_t k = 0; k < model->kinds; k++)
        chances->had[k] = 0;
    for (size_t c = 0; c < model->classes; c++) {
        scale_class(chances->of + c * model->kinds, model->kinds);
        for (size_t k = 0; k < model->kinds; k++)
            chances->had[k] += chances->jobs[c] * chances->of[c * model->kinds + k];
    }
}

/* Scale each kind by a factor until all kinds have the log's share (proportional fitting): the
 * runtimes of a model differ from the log's. */
static void rake(struct chances *chances, const struct loom_status_model *model, double n)
{
    enum { ROUNDS = 100 };
    double sum = 0;
    for (size_t i = 0; i < model->classes * model->kinds; i++) {
        chances->all[i % model->kinds] += (double)model->jobs[i];
        sum += (double)model->jobs[i];
    }
    for (int round = 0; round < ROUNDS; round++) {
        expected_chances(chances, model);
        for (size_t i = 0; i < model->classes * model->kinds; i++) {
            size_t k = i % model->kinds;
            if (chances->had[k] > 0)
                chances->of[i] *= n * chances->all[k] / sum / chances->had[k];
        }
    }
    expected_chances(chances, model);
}

static int32_t status_draw(const struct loom_status_model *model, const double *of,
                           struct loom_stream *stream)
{
    double u = loom_stream_uniform(stream);
    size_t kind = 0;
    for (; kind + 1 < model->kinds && u >= of[kind]; kind++)
        u -= of[kind];
    return model->status[kind];
}

int loom_status_model_apply(const struct loom_status_model *model, int32_t *status,
                            const int64_t *run_s, size_t n,
                            const struct loom_generation *generation, struct loom_error *err)
{
    struct chances chances;
    struct loom_stream stream;
    double ran = 0;
    int rc = open_chances(&chances, model, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < n; i++) {
        chances.jobs[status_class_of(model, run_s[i])] += run_s[i] >= 0;
        ran += run_s[i] >= 0;
    }
    rake(&chances, model, ran);
    loom_generation_stream(&stream, generation, "status");
    for (size_t i = 0; i < n; i++) {
        const double *of = chances.of + status_class_of(model, run_s[i]) * model->kinds;
        status[i] = run_s[i] >= 0 ? status_draw(model, of, &stream) : -1;
    }
    free(chances.of);
    return 0;
}

void loom_status_model_clear(struct loom_status_model *model)
{
    free(model->status);
    free(model->from_s);
    free(model->jobs);
    *model = (struct loom_status_model){0};
}
