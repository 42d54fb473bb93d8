/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * outcome.h - the inside of struct loom_outcome, for this room and for reports. The metric
 * dictionary (metrics.c) points into it, so that each number stands in one place.
 */
#ifndef LOOM_EXPERIMENT_OUTCOME_H
#define LOOM_EXPERIMENT_OUTCOME_H

#include <workloom/experiment.h>

struct loom_run;

enum { LOOM_CLASS_FIELDS = 5, LOOM_CLASS_TEXT = 80 };

/* Results of the users who submit the jobs. */
struct loom_users_outcome {
    bool resampled;      /* a population drawn from the log's users */
    char *behaviour;     /* NULL: nobody reacts */
    size_t without_user; /* jobs of the log */
    size_t without_wait; /* and jobs of known users */
    struct loom_user_metrics did;
    struct loom_feedback_counts counts;
    struct loom_sim_rates submitting; /* over the time in which they submit */
    double log_load;                  /* of their log, on this machine; NAN: it has no length */
    double log_throughput_jobs_per_day;
};

/* The fields of struct loom_cluster_share, as JSON and the dictionary name them. */
#define LOOM_SHARE_FIELDS(X) \
    X(jobs)                  \
    X(wait_mean_s)           \
    X(wait_median_s)         \
    X(response_mean_s)       \
    X(slowdown_mean)         \
    X(bounded_slowdown_mean) \
    X(slowdown_ratio)        \
    X(utilization)

struct loom_cluster_outcome {
    char *name, *scheduler;
    int64_t procs;
    char *model, *log; /* where its local jobs come from: one, or none */
    uint64_t hash;     /* of the log */
    int64_t shift_s;   /* added to the submit times of local jobs */
    size_t left_out;   /* jobs of the log that the shift left out */
    struct loom_cluster_metrics metrics;
    struct loom_sim_counts counts;
};

struct loom_grid_outcome {
    char *platform, *dispatch; /* dispatch is "" where nothing is set */
    struct loom_grid_metrics metrics;
    size_t n;
    struct loom_cluster_outcome clusters[];
};

struct loom_prediction_outcome {
    char *predictor;
    enum loom_correction correction;
    struct loom_prediction_errors errors;
    int64_t requests_unknown; /* jobs without requested time */
};

/* Statistics of the waits in order of submission; NAN where there are too few jobs. */
struct loom_within_outcome {
    double wait_half_s, batch_correlation; /* batch means */
    double warmup_mser_jobs;               /* MSER-5 */
};

struct loom_outcome {
    char *policy;
    int64_t procs;
    enum loom_size_source size_source; /* of a machine that no system describes */
    uint64_t seed, replication;
    struct loom_load_change load; /* asked is 0 if it was not changed */
    double load_shown;            /* loom_outcome_load_offered */
    struct loom_request_change requests;

    struct loom_sim_metrics metrics;
    struct loom_sim_rates rates; /* over the window of the measured jobs */
    struct loom_sim_counts counts;
    double fairness;                           /* over users, Jain's index */
    int64_t users;                             /* known users with measured jobs */
    double user_rate_median, user_rate_max;    /* their jobs a day */
    struct loom_users_outcome *submitters;     /* NULL: jobs come when the trace says */
    struct loom_grid_outcome *grid;            /* NULL: one machine */
    struct loom_prediction_outcome *predicted; /* NULL: no predictor */
    struct loom_within_outcome *within;        /* NULL unless kept */
    struct loom_wait_errors *waits;            /* NULL: waits were not predicted */

    struct loom_sim_classes *classes;     /* NULL: none asked for */
    char (*class_names)[LOOM_CLASS_TEXT]; /* of classes */
    struct loom_sim_series *series;       /* these three: NULL unless kept */
    int64_t *outstanding;
    size_t n_weeks;
    struct loom_sim_curves *curves;
    struct loom_run *run;
};

/* Return whether the run is saturated, neither undecided nor by running jobs alone. */
bool loom_outcome_saturated(const struct loom_outcome *outcome);

/* ---- classes of jobs (classes.c) ------------------------------------------------------------- */

/* Return the key of a metric that classes have, by its number, in the order of columns. Static. */
const char *loom_class_field_key(size_t field);
/* Return its value of a class without jobs: 0 of a count, NAN of a mean. */
double loom_class_field_of_none(size_t field);
/* Return the value of that metric of a class. */
double loom_class_value(const struct loom_sim_class *class, size_t field);
/* Name the classes of an outcome; users and queues have their names in the trace. Fails with
 * LOOM_ENOMEM. */
int loom_outcome_name_classes(struct loom_outcome *outcome, const struct loom_trace *trace,
                              struct loom_error *err);

#endif
