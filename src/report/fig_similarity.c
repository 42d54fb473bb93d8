/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of the similarity of a user's jobs (Zakay, chapter 3, section 3): by the distance of
 * their sessions, and within sessions against jobs mixed at random among the sessions of their
 * user.
 *
 * What figure 1 shows of a log is the mean over users, each with all pairs of its jobs at a
 * distance, for the same users as in tables II to IV: those with six sessions, which have pairs at
 * distances of up to five.
 */
#include "features/similarity.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DISTANCES = 6 };

static const char *const names[LOOM_SIMILAR] = {
    [LOOM_SIMILAR_PROCS] = "processors",
    [LOOM_SIMILAR_ESTIMATE] = "estimates",
    [LOOM_SIMILAR_RUNTIME] = "runtimes",
};

/* What both figures need. */
struct similar {
    struct loom_sessions *sessions;
    struct loom_session_values values;
};

static int open_similar(struct similar *out, struct loom_sheet *sheet,
                        const struct loom_subject *subject, struct loom_error *err)
{
    const struct loom_definitions *own = &subject->definitions;
    struct loom_session_rule rule = loom_definitions_rule(own, own->session_method);
    size_t compared = 0;
    *out = (struct similar){0};
    if (subject->jobs.n == 0)
        return loom_sheet_skip(sheet, "there are no jobs");
    if (subject->users->n == 0)
        return loom_sheet_skip(sheet, "no job has a user ID");
    int rc = loom_sessions_create(&out->sessions, subject->users, &rule, err);
    if (!rc)
        rc = loom_session_values_create(&out->values, subject->users, out->sessions, err);
    for (size_t u = 0; !rc && u < subject->users->count; u++)
        compared += loom_is_compared(out->sessions, u);
    return rc || compared > 0
               ? rc
               : loom_sheet_skip(sheet, "no user has six sessions, and two jobs in one of them");
}

static void close_similar(struct similar *similar)
{
    loom_session_values_free(&similar->values);
    loom_sessions_destroy(similar->sessions);
}

/* ---- by distance ----------------------------------------------------------------------------- */

/* Means over users of what their pairs at a distance come to. */
struct at_distance {
    double users, mean, median, identical;
};

static struct at_distance similarity_measure(const struct similar *similar, size_t users,
                                             size_t distance)
{
    struct at_distance sum = {0};
    for (size_t u = 0; u < users; u++) {
        struct loom_pairs pairs = loom_user_pairs(&similar->values, similar->sessions, u, distance);
        if (!loom_is_compared(similar->sessions, u) || loom_pairs_count(&pairs) == 0)
            continue;
        sum.users++;
        sum.mean += loom_pairs_mean(&pairs);
        sum.median += loom_pairs_median(&pairs, similar->values.scratch);
        sum.identical += loom_pairs_identical(&pairs);
    }
    return sum;
}

static void write_attribute(struct loom_sheet *sheet, const struct similar *similar, size_t users,
                            int attribute)
{
    for (size_t d = 0; d < DISTANCES; d++) {
        struct at_distance at = similarity_measure(similar, users, d);
        if (at.users < 1)
            continue;
        if (d == 0)
            loom_sheet_block(sheet, names[attribute], "distance,mean,median,identical,users");
        loom_sheet_record(sheet,
                          (const double[]){(double)d, at.mean / at.users, at.median / at.users,
                                           at.identical / at.users, at.users},
                          5);
    }
}

static int by_distance(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    struct similar similar;
    int rc = open_similar(&similar, sheet, subject, err);
    for (int a = 0; a < LOOM_SIMILAR && !rc && !sheet->reason; a++) {
        rc = loom_session_values_take(&similar.values, &subject->jobs, (enum loom_similar)a,
                                      subject->users, similar.sessions, err);
        if (!rc)
            write_attribute(sheet, &similar, subject->users->count, a);
    }
    close_similar(&similar);
    return rc;
}

/* ---- randomised ------------------------------------------------------------------------------ */

enum { MOST_ROUNDS = 1000, LEAST_ROUNDS = 100, BINS = 30 };

/* As many rounds as the text has, but for long logs, where about 20 million jobs are mixed. */
static size_t rounds_of(const struct loom_subject *subject)
{
    if (subject->rounds > 0)
        return subject->rounds;
    size_t rounds = 20000000 / (subject->users->n + 1);
    return rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds;
}

static void mix(double *x, size_t n, struct loom_stream *stream)
{
    for (size_t i = n; i > 1; i--) {
        size_t other = (size_t)loom_stream_below(stream, i);
        double kept = x[i - 1];
        x[i - 1] = x[other];
        x[other] = kept;
    }
}

/* Sessions are short, but for a few. */
static int sort_sessions(const struct similar *similar, size_t user, struct loom_error *err)
{
    const uint32_t *first = similar->values.first;
    double *x = similar->values.x;
    int rc = 0;
    for (size_t s = similar->sessions->user_session[user];
         s < similar->sessions->user_session[user + 1] && !rc; s++) {
        size_t n = first[s + 1] - first[s];
        if (n > 20) {
            rc = loom_sort(x + first[s], n, err);
            continue;
        }
        for (size_t i = first[s] + 1; i < first[s + 1]; i++) {
            double value = x[i];
            size_t at = i;
            for (; at > first[s] && x[at - 1] > value; at--)
                x[at] = x[at - 1];
            x[at] = value;
        }
    }
    return rc;
}

/* Mix the jobs of each user among its sessions, and measure the similarity within them. */
static int one_round(double *out, const struct similar *similar, size_t users, uint64_t seed,
                     size_t round, struct loom_error *err)
{
    struct loom_stream stream;
    loom_stream_init(&stream, seed, round, "mix sessions");
    int rc = 0;
    for (size_t u = 0; u < users && !rc; u++) {
        if (!loom_is_compared(similar->sessions, u))
            continue;
        uint32_t from = similar->values.first[similar->sessions->user_session[u]];
        uint32_t to = similar->values.first[similar->sessions->user_session[u + 1]];
        mix(similar->values.x + from, to - from, &stream);
        rc = sort_sessions(similar, u, err);
    }
    double sum = 0, known = 0;
    for (size_t u = 0; u < users && !rc; u++) {
        struct loom_pairs pairs = loom_user_pairs(&similar->values, similar->sessions, u, 0);
        if (!loom_is_compared(similar->sessions, u) || loom_pairs_count(&pairs) == 0)
            continue;
        sum += loom_pairs_mean(&pairs);
        known++;
    }
    *out = sum / known;
    return rc;
}

/* The rounds as a histogram, and the log itself as a block with one point. */
static int write_rounds(struct loom_sheet *sheet, const char *name, double original, double *rounds,
                        size_t n, struct loom_error *err)
{
    struct loom_histogram histogram;
    char series[LOOM_SERIES_SIZE];
    int rc = loom_sort(rounds, n, err);
    if (rc)
        return rc;
    double low = rounds[0], high = rounds[n - 1];
    double margin = high > low ? (high - low) * 1e-9 : 1e-6;
    rc = loom_histogram_linear(&histogram, rounds, n, low - margin, high + margin, BINS, err);
    if (rc)
        return rc;
    snprintf(series, sizeof series, "%s, %zu rounds", name, n);
    loom_sheet_block(sheet, series, "similarity,rounds");
    double most = 0;
    for (size_t i = 0; i < histogram.bins; i++) {
        loom_sheet_row(sheet, (histogram.edges[i] + histogram.edges[i + 1]) / 2,
                       histogram.counts[i]);
        most = fmax(most, histogram.counts[i]);
    }
    snprintf(series, sizeof series, "%s, this log", name);
    loom_sheet_block(sheet, series, NULL);
    loom_sheet_row(sheet, original, most);
    loom_histogram_free(&histogram);
    return 0;
}

static int randomise(struct loom_sheet *sheet, const struct similar *similar,
                     const struct loom_subject *subject, const char *name, struct loom_error *err)
{
    size_t n = rounds_of(subject), users = subject->users->count;
    struct at_distance own = similarity_measure(similar, users, 0);
    if (own.users < 1)
        return 0;
    double *rounds = malloc(n * sizeof *rounds);
    int rc = rounds ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = one_round(&rounds[i], similar, users, subject->seed, i, err);
    if (!rc)
        rc = write_rounds(sheet, name, own.mean / own.users, rounds, n, err);
    free(rounds);
    return rc;
}

static int at_random(struct loom_sheet *sheet, const struct loom_subject *subject,
                     struct loom_error *err)
{
    struct similar similar;
    int rc = open_similar(&similar, sheet, subject, err);
    for (int a = 0; a < LOOM_SIMILAR && !rc && !sheet->reason; a++) {
        rc = loom_session_values_take(&similar.values, &subject->jobs, (enum loom_similar)a,
                                      subject->users, similar.sessions, err);
        if (!rc)
            rc = randomise(sheet, &similar, subject, names[a], err);
    }
    close_similar(&similar);
    return rc;
}

const struct loom_figure_ops loom_figures_similarity[] = {
    {.name = "similarity-distance",
     .section = "users",
     .title = "Similarity of jobs by distance",
     .caption =
         "How similar two jobs of a user are, the smaller value over the larger one, against the "
         "distance of their sessions; 0 is within one session. Lines with dots are means over "
         "pairs, thin lines medians, both averaged over users with at least six sessions.",
     .data = by_distance,
     .script =
         "set xlabel 'distance (sessions)'\nset ylabel 'similarity'\nset yrange [0:1]\n"
         "set xrange [-0.2:5.2]\nset xtics 1\nset key above\nstats data using 1:2 nooutput\n"
         "plot for [i=0:STATS_blocks-1] data index i using 1:2 with linespoints linestyle i+1 \\\n"
         "         title columnheader(2), \\\n"
         "     for [i=0:STATS_blocks-1] data index i using 1:3 with lines linestyle i+1 \\\n"
         "         linewidth 0.8 notitle\n"},
    {.name = "similarity-random",
     .section = "users",
     .title = "Similarity within sessions, and by chance",
     .caption =
         "Mean similarity of two jobs of one session (vertical lines), against what it is when the "
         "jobs of each user are mixed at random among the user's sessions, many times: lines to "
         "the right of the distributions show that users repeat their jobs within sessions.",
     .data = at_random,
     .script =
         "set xlabel 'mean similarity within sessions'\nset ylabel 'rounds'\nset yrange [0:*]\n"
         "set xrange [0:1]\nset key above\nstats data using 1:2 nooutput\n"
         "plot for [i=0:STATS_blocks-1:2] data index i using 1:2 with boxes \\\n"
         "         linecolor rgb (i == 0 ? '#0072B2' : i == 2 ? '#D55E00' : '#009E73') \\\n"
         "         title columnheader(2), \\\n"
         "     for [i=1:STATS_blocks-1:2] data index i using 1:2 with impulses \\\n"
         "         linewidth 2.5 \\\n"
         "         linecolor rgb (i == 1 ? '#0072B2' : i == 3 ? '#D55E00' : '#009E73') notitle\n"},
    {.name = NULL},
};
