/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Minh's predictor (Minh 2012, chapter 8): the mean runtime of the K most similar ended jobs among
 * the last N submitted, and alpha standard deviations, at most beta times the requested time
 * (eq. 8.6 to 8.8). Similar jobs agree in the attributes of the template; how similar they are is
 * the cosine of the angle between their vectors of processors, requested time and memory, each
 * scaled to [0, 1] (8.4, 8.5). Where no job agrees in the template, all jobs are looked at. Jobs
 * with short and long requested times have N, K, alpha and beta of their own.
 *
 * Where the text is silent, parameters set the choice: by default, ranges for scaling are of the
 * jobs submitted so far, a vector of zeros is fully similar to another one and not at all to any
 * other vector, and deviations are with n - 1. Of equally similar jobs the most recently submitted
 * count. docs/validation/predict.md has the effects.
 */
#include "predict/experience.h"
#include "predict/predictor.h"

#include <math.h>
#include <string.h>

enum { GROUPS = 3, MOST_K = 100 };

struct group {
    int64_t window; /* N */
    size_t k;
    double alpha, beta;
};

/* How similar a vector of zeros is to another one, and to other vectors. */
enum zeros { ZEROS_ALIKE, ZEROS_NEVER, ZEROS_ALWAYS };

enum range { RANGE_KNOWN, RANGE_LOG };

struct minh2010 {
    struct loom_experience similar, any; /* by the template, and by the empty one */
    double pivots[GROUPS - 1]; /* requested times from which on a job is in the next group */
    struct group groups[GROUPS];
    enum zeros zeros;
    enum range range;
    bool surveyed; /* the jobs to come are known */
    size_t spare;  /* taken from n in the divisor of deviations */
};

/* ---- parameters ------------------------------------------------------------------------------ */

/* Read a template such as "user+queue". Returns false for an unknown word. */
static bool read_template(unsigned *out, const char *text)
{
    static const char *const names[LOOM_NOMINALS] = {"user", "group", "queue", "executable"};
    *out = 0;
    if (strcmp(text, "none") == 0)
        return true;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, "+"), i = 0;
        while (i < LOOM_NOMINALS &&
               (strlen(names[i]) != length || strncmp(names[i], at, length) != 0))
            i++;
        if (i == LOOM_NOMINALS)
            return false;
        *out |= 1u << i;
        at += length;
        if (!*at)
            return true;
    }
}

static int minh2010_check(const struct loom_params *params, struct loom_error *err)
{
    unsigned template;
    if (!read_template(&template, loom_params_text(params, "template")))
        return loom_fail(err, LOOM_EUSAGE,
                         "minh2010: template is 'none', or user, group, queue and executable "
                         "joined by '+', not '%s'",
                         loom_params_text(params, "template"));
    double pivot = loom_params_real(params, "pivot"), pivot2 = loom_params_real(params, "pivot2");
    if (pivot2 > 0 && pivot2 <= pivot)
        return loom_fail(err, LOOM_ERANGE, "minh2010: pivot2 must be above pivot (%g), not %g",
                         pivot, pivot2);
    return 0;
}

static struct group read_group(const struct loom_params *params, int number)
{
    char n[8], k[8], alpha[8], beta[8];
    snprintf(n, sizeof n, "n%d", number);
    snprintf(k, sizeof k, "k%d", number);
    snprintf(alpha, sizeof alpha, "alpha%d", number);
    snprintf(beta, sizeof beta, "beta%d", number);
    return (struct group){
        .window = loom_params_int(params, n),
        .k = (size_t)loom_params_int(params, k),
        .alpha = loom_params_real(params, alpha),
        .beta = loom_params_real(params, beta),
    };
}

static int minh2010_open(void *state, const struct loom_params *params, struct loom_error *err)
{
    struct minh2010 *self = state;
    (void)err;
    read_template(&self->similar.template, loom_params_text(params, "template"));
    self->zeros = (enum zeros)loom_params_choice(params, "zeros");
    self->range = (enum range)loom_params_choice(params, "range");
    self->spare = loom_params_choice(params, "deviation") == 0 ? 1 : 0;
    self->pivots[0] = loom_params_real(params, "pivot");
    self->pivots[1] = loom_params_real(params, "pivot2");
    if (self->pivots[1] <= 0)
        self->pivots[1] = INFINITY;
    for (int i = 0; i < GROUPS; i++) {
        self->groups[i] = read_group(params, i + 1);
        if (self->groups[i].window > self->any.most)
            self->any.most = self->groups[i].window;
    }
    self->similar.most = self->any.most;
    return 0;
}

static void minh2010_close(void *state)
{
    struct minh2010 *self = state;
    loom_experience_free(&self->similar);
    loom_experience_free(&self->any);
}

/* ---- predicting ------------------------------------------------------------------------------ */

/* Eq. 8.5. */
static double cosine(const void *context, const struct loom_past_kind *job,
                     const struct loom_past_kind *kind)
{
    const struct minh2010 *self = context;
    const double *a = job->scaled, *b = kind->scaled;
    if (job->length > 0 && kind->length > 0)
        return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (job->length * kind->length);
    if (self->zeros == ZEROS_ALIKE)
        return job->length == kind->length;
    return self->zeros == ZEROS_ALWAYS;
}

/* Eq. 8.7. */
static double mean_and_deviations(const struct minh2010 *self, const struct loom_neighbour *near,
                                  size_t n, double alpha)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)near[i].run_s;
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += ((double)near[i].run_s - mean) * ((double)near[i].run_s - mean);
    return mean + (n > 1 ? alpha * sqrt(squares / (double)(n - self->spare)) : 0);
}

static const struct group *group_of(const struct minh2010 *self, const struct loom_job_view *job)
{
    int i = 0;
    while (i < GROUPS - 1 && (double)job->request_s >= self->pivots[i])
        i++;
    return &self->groups[i];
}

static int minh2010_survey(void *state, const struct loom_job_view *job, struct loom_error *err)
{
    struct minh2010 *self = state;
    (void)err;
    self->surveyed = true;
    if (self->range == RANGE_LOG) {
        loom_experience_widen(&self->similar, job);
        loom_experience_widen(&self->any, job);
    }
    return 0;
}

static int minh2010_predict(struct loom_prediction *out, void *state,
                            const struct loom_job_view *job, struct loom_error *err)
{
    struct minh2010 *self = state;
    const struct group *group = group_of(self, job);
    struct loom_neighbour near[MOST_K];
    if (self->range == RANGE_LOG && !self->surveyed)
        return loom_fail(err, LOOM_EUSAGE,
                         "minh2010: range=log is for logs that are over; a simulation does not "
                         "know the jobs to come");
    int rc = loom_experience_submit(&self->similar, job, err);
    if (!rc)
        rc = loom_experience_submit(&self->any, job, err);
    if (rc)
        return rc;
    size_t n =
        loom_experience_nearest(near, group->k, &self->similar, job, group->window, cosine, self);
    if (n == 0)
        n = loom_experience_nearest(near, group->k, &self->any, job, group->window, cosine, self);
    if (n == 0)
        return 0;
    out->run_s = mean_and_deviations(self, near, n, group->alpha);
    if (job->request_s > 0 && out->run_s > group->beta * (double)job->request_s) /* eq. 8.8 */
        out->run_s = group->beta * (double)job->request_s;
    return 0;
}

static int minh2010_learn(void *state, const struct loom_job_view *job, int64_t run_s,
                          struct loom_error *err)
{
    struct minh2010 *self = state;
    int rc = loom_experience_end(&self->similar, job, run_s, err);
    return rc ? rc : loom_experience_end(&self->any, job, run_s, err);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Parameters of a group of jobs. Defaults are near the mean of the trained values of table 8.3. */
#define GROUP_PARAMS(number, n, k, alpha, beta, whose)                                         \
    {.name = "n" number,                                                                       \
     .type = LOOM_PARAM_INT,                                                                   \
     .min = 1,                                                                                 \
     .max = 1e9,                                                                               \
     .value = n,                                                                               \
     .metavar = "JOBS",                                                                        \
     .help = whose ": jobs submitted before it that are searched"},                            \
        {.name = "k" number,                                                                   \
         .type = LOOM_PARAM_INT,                                                               \
         .min = 1,                                                                             \
         .max = MOST_K,                                                                        \
         .value = k,                                                                           \
         .metavar = "JOBS",                                                                    \
         .help = whose ": most similar jobs to take"},                                         \
        {.name = "alpha" number,                                                               \
         .type = LOOM_PARAM_REAL,                                                              \
         .min = -10,                                                                           \
         .max = 10,                                                                            \
         .value = alpha,                                                                       \
         .metavar = "A",                                                                       \
         .help = whose ": standard deviations to add to their mean"},                          \
    {                                                                                          \
        .name = "beta" number, .type = LOOM_PARAM_REAL, .min = 0.001, .max = 1, .value = beta, \
        .metavar = "B", .help = whose ": largest share of the requested time"                  \
    }

static const char *const ranges[] = {"known", "log", NULL};
static const char *const zeros[] = {"alike", "never", "always", NULL};
static const char *const deviations[] = {"n-1", "n", NULL};

static const struct loom_param params[] = {
    {.name = "template",
     .type = LOOM_PARAM_TEXT,
     .value = "user+executable",
     .metavar = "NAMES",
     .help = "attributes in which similar jobs agree: user, group, queue, executable joined by "
             "'+', or none"},
    LOOM_REAL_PARAM("pivot", 0, 0x1p40, "20000", "SECONDS",
                    "requested time from which on a job is big"),
    GROUP_PARAMS("1", "5700", "9", "0.98", "0.97", "small jobs"),
    GROUP_PARAMS("2", "8300", "5", "0.04", "0.92", "big jobs"),
    LOOM_REAL_PARAM("pivot2", 0, 0x1p40, "0", "SECONDS",
                    "requested time from which on a job is in a third group; 0: none"),
    GROUP_PARAMS("3", "8300", "5", "0.04", "0.92", "third group"),
    LOOM_CHOICE_PARAM(
        "range", ranges, "known", "OF",
        "scale attributes by their least and greatest values among the jobs so far, or in the "
        "whole log (not in a simulation)"),
    LOOM_CHOICE_PARAM(
        "zeros", zeros, "alike", "HOW",
        "similarity of a job whose attributes are all the least: 1 to such jobs, to none, or "
        "to all"),
    LOOM_CHOICE_PARAM("deviation", deviations, "n-1", "BY", "divisor in the standard deviation"),
    {.name = NULL},
};

/* The thirteen genes of section 8.3.3. Ranges are ours: the text gives none but for the pivot. */
#define GROUP_GENES(number)                                                                    \
    {"n" number, LOOM_GENE_WHOLE, 1, 10000, NULL}, {"k" number, LOOM_GENE_WHOLE, 1, 10, NULL}, \
        {"alpha" number, LOOM_GENE_REAL, 0, 1, NULL},                                          \
    {                                                                                          \
        "beta" number, LOOM_GENE_REAL, 0.5, 1, NULL                                            \
    }

static const struct loom_gene genes[] = {
    {"template", LOOM_GENE_WORD, 0, 1, "user"},
    {"template", LOOM_GENE_WORD, 0, 1, "group"},
    {"template", LOOM_GENE_WORD, 0, 1, "queue"},
    {"template", LOOM_GENE_WORD, 0, 1, "executable"},
    {"pivot", LOOM_GENE_REQUEST, 0, 0, NULL},
    GROUP_GENES("1"),
    GROUP_GENES("2"),
    {NULL, LOOM_GENE_REAL, 0, 0, NULL},
};

const struct loom_predictor_ops loom_predictor_minh2010 = {
    .info = {"minh2010", "mean and deviations of the most similar jobs (Minh 2012, 8.3)", params},
    .state_size = sizeof(struct minh2010),
    .genes = genes,
    .check = minh2010_check,
    .open = minh2010_open,
    .close = minh2010_close,
    .survey = minh2010_survey,
    .predict = minh2010_predict,
    .learn = minh2010_learn,
};
