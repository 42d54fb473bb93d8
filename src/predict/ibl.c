/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Instance-based learning (Li, Senger, Smith; Minh 2012, section 8.1): the K nearest of the ended
 * jobs among the last N submitted, by a distance over all attributes (eq. 8.1, 8.2), and a kernel
 * average of their runtimes (8.3), or a linear regression on the numeric attributes with the same
 * weights. The bandwidth of the kernel is fixed or, by default, the largest distance among the
 * neighbours.
 *
 * Where the text is silent: ranges of numeric attributes are of the jobs submitted so far, and a
 * bandwidth of 0 (all neighbours alike) gives equal weights.
 */
#include "predict/experience.h"
#include "predict/predictor.h"

#include <gsl/gsl_linalg.h>
#include <math.h>

enum { MOST_K = 100, TERMS = LOOM_NUMERICS + 1 };

enum induction { WEIGHTED_AVERAGE, LOCAL_REGRESSION };

struct ibl {
    struct loom_experience base;
    size_t k;
    double nominal[LOOM_NOMINALS], numeric[LOOM_NUMERICS]; /* weights, of sum 1 */
    double bandwidth;                                      /* 0: the largest distance */
    enum induction induction;
};

static int ibl_open(void *state, const struct loom_params *params, struct loom_error *err)
{
    static const char *const nominal[LOOM_NOMINALS] = {"w-user", "w-group", "w-queue",
                                                       "w-executable"};
    static const char *const numeric[LOOM_NUMERICS] = {"w-procs", "w-request", "w-memory"};
    struct ibl *self = state;
    double sum = 0;
    self->base.most = loom_params_int(params, "n");
    self->k = (size_t)loom_params_int(params, "k");
    self->bandwidth = loom_params_real(params, "bandwidth");
    self->induction = (enum induction)loom_params_choice(params, "induction");
    for (int i = 0; i < LOOM_NOMINALS; i++)
        sum += self->nominal[i] = loom_params_real(params, nominal[i]);
    for (int i = 0; i < LOOM_NUMERICS; i++)
        sum += self->numeric[i] = loom_params_real(params, numeric[i]);
    if (!(sum > 0))
        return loom_fail(err, LOOM_ERANGE, "ibl: at least one weight must be above 0");
    for (int i = 0; i < LOOM_NOMINALS; i++) {
        self->nominal[i] /= sum;
        self->base.distinguished |= self->nominal[i] > 0 ? 1u << i : 0;
    }
    for (int i = 0; i < LOOM_NUMERICS; i++)
        self->numeric[i] /= sum;
    return 0;
}

static void ibl_close(void *state)
{
    loom_experience_free(&((struct ibl *)state)->base);
}

/* Eq. 8.1 and 8.2, squared and negative. Jobs of different origins differ in every name. */
static double nearness(const void *context, const struct loom_past_kind *job,
                       const struct loom_past_kind *kind)
{
    const struct ibl *self = context;
    bool foreign = job->traits.origin != kind->traits.origin;
    double sum = 0;
    for (int i = 0; i < LOOM_NOMINALS; i++)
        if (foreign || job->traits.nominal[i] != kind->traits.nominal[i])
            sum += self->nominal[i];
    for (int i = 0; i < LOOM_NUMERICS; i++) {
        double d = job->scaled[i] - kind->scaled[i];
        sum += self->numeric[i] * d * d;
    }
    return -sum;
}

/* The weights of eq. 8.3. */
static void weigh(double *weights, const struct ibl *self, const struct loom_neighbour *near,
                  size_t n)
{
    double width2 = self->bandwidth * self->bandwidth;
    if (!(width2 > 0))
        width2 = -near[n - 1].likeness; /* of the farthest */
    for (size_t i = 0; i < n; i++)
        weights[i] = width2 > 0 ? exp(near[i].likeness / width2) : 1;
}

static double average(const struct loom_neighbour *near, const double *weights, size_t n)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        sum += weights[i] * (double)near[i].run_s;
        total += weights[i];
    }
    return total > 0 ? sum / total : NAN;
}

/* The normal equations of a regression around the job, so that its intercept is the prediction. A
 * small ridge keeps attributes in which all neighbours agree from making them singular. */
static double regress(const struct loom_past_kind *job, const struct loom_neighbour *near,
                      const double *weights, size_t n)
{
    double a[TERMS * TERMS] = {0}, b[TERMS] = {0}, x[TERMS];
    for (size_t i = 0; i < n; i++) {
        double row[TERMS] = {1};
        for (int k = 0; k < LOOM_NUMERICS; k++)
            row[k + 1] = near[i].kind->scaled[k] - job->scaled[k];
        for (int r = 0; r < TERMS; r++) {
            b[r] += weights[i] * row[r] * (double)near[i].run_s;
            for (int c = 0; c < TERMS; c++)
                a[r * TERMS + c] += weights[i] * row[r] * row[c];
        }
    }
    for (int r = 1; r < TERMS; r++)
        a[r * TERMS + r] += 1e-6 * (1 + a[0]);
    gsl_matrix_view matrix = gsl_matrix_view_array(a, TERMS, TERMS);
    gsl_vector_view right = gsl_vector_view_array(b, TERMS), left = gsl_vector_view_array(x, TERMS);
    if (!(a[0] > 0) || gsl_linalg_cholesky_decomp1(&matrix.matrix) ||
        gsl_linalg_cholesky_solve(&matrix.matrix, &right.vector, &left.vector))
        return NAN;
    return x[0];
}

static int ibl_predict(struct loom_prediction *out, void *state, const struct loom_job_view *job,
                       struct loom_error *err)
{
    struct ibl *self = state;
    struct loom_neighbour near[MOST_K];
    struct loom_past_kind asked;
    double weights[MOST_K];
    int rc = loom_experience_submit(&self->base, job, err);
    if (rc)
        return rc;
    size_t n =
        loom_experience_nearest(near, self->k, &self->base, job, self->base.most, nearness, self);
    if (n == 0)
        return 0;
    weigh(weights, self, near, n);
    double mean_s = average(near, weights, n), run_s = mean_s;
    if (self->induction == LOCAL_REGRESSION) {
        asked = loom_experience_kind(&self->base, job);
        run_s = regress(&asked, near, weights, n);
    }
    out->run_s = isfinite(run_s) ? run_s : mean_s;
    return 0;
}

static int ibl_learn(void *state, const struct loom_job_view *job, int64_t run_s,
                     struct loom_error *err)
{
    struct ibl *self = state;
    return loom_experience_end(&self->base, job, run_s, err);
}

static const char *const inductions[] = {"average", "regression", NULL};

#define WEIGHT(attribute, text, what)                                                       \
    {                                                                                       \
        .name = "w-" attribute, .type = LOOM_PARAM_REAL, .min = 0, .max = 1, .value = text, \
        .metavar = "W", .help = "weight of " what                                           \
    }

static const struct loom_param params[] = {
    LOOM_INT_PARAM("n", 1, 1e9, "5000", "JOBS", "jobs submitted before it that are searched"),
    LOOM_INT_PARAM("k", 1, MOST_K, "5", "JOBS", "nearest jobs to take"),
    LOOM_REAL_PARAM("bandwidth", 0, 100, "0", "DISTANCE",
                    "bandwidth of the kernel; 0: the largest distance among the neighbours"),
    LOOM_CHOICE_PARAM("induction", inductions, "average", "HOW",
                      "weighted average, or linear locally weighted regression"),
    WEIGHT("user", "1", "the user"),
    WEIGHT("group", "0.2", "the group"),
    WEIGHT("queue", "0.3", "the queue"),
    WEIGHT("executable", "0.8", "the executable"),
    WEIGHT("procs", "0.5", "processors"),
    WEIGHT("request", "1", "the requested time"),
    WEIGHT("memory", "0.3", "requested memory"),
    {.name = NULL},
};

static const struct loom_gene genes[] = {
    {"n", LOOM_GENE_WHOLE, 1, 10000, NULL},       {"k", LOOM_GENE_WHOLE, 1, 20, NULL},
    {"bandwidth", LOOM_GENE_REAL, 0, 1, NULL},    {"w-user", LOOM_GENE_REAL, 0, 1, NULL},
    {"w-group", LOOM_GENE_REAL, 0, 1, NULL},      {"w-queue", LOOM_GENE_REAL, 0, 1, NULL},
    {"w-executable", LOOM_GENE_REAL, 0, 1, NULL}, {"w-procs", LOOM_GENE_REAL, 0, 1, NULL},
    {"w-request", LOOM_GENE_REAL, 0, 1, NULL},    {"w-memory", LOOM_GENE_REAL, 0, 1, NULL},
    {NULL, LOOM_GENE_REAL, 0, 0, NULL},
};

const struct loom_predictor_ops loom_predictor_ibl = {
    .info = {"ibl", "kernel average over the nearest jobs (Li 2005, Senger 2004, Smith 2007)",
             params},
    .state_size = sizeof(struct ibl),
    .genes = genes,
    .open = ibl_open,
    .close = ibl_close,
    .predict = ibl_predict,
    .learn = ibl_learn,
};
