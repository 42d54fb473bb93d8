/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of the times between the jobs of one user (Zakay, chapter 2, sections 3 and 4): from
 * submission to submission, and from the end of a batch to the next one.
 *
 * Times above a day are left out of both: the text does so for interarrival times. It does not say
 * so for think times, but only with all of them up to a day, rather than those within sessions, is
 * the distribution after batches of Last alone the nearer one, as printed.
 */
#include "base/civil.h"
#include "report/figure.h"

#include <math.h>
#include <stdlib.h>

enum { MINUTE_S = 60, ZOOM_MINUTES = 300, PER_DECADE = 12 };

/* Skips where there are no two jobs of one user. */
static bool has_users(struct loom_sheet *sheet, const struct loom_subject *subject)
{
    if (subject->jobs.n == 0)
        loom_sheet_skip(sheet, "there are no jobs");
    else if (subject->users->n == 0)
        loom_sheet_skip(sheet, "no job has a user ID");
    else if (subject->users->n == subject->users->count)
        loom_sheet_skip(sheet, "no user submitted two jobs");
    return !sheet->reason;
}

/* ---- interarrival times ---------------------------------------------------------------------- */

static int take_gaps(struct loom_sorted *out, const struct loom_users *users,
                     struct loom_error *err)
{
    *out = (struct loom_sorted){.x = malloc(users->n * sizeof *out->x)};
    if (!out->x)
        return loom_fail_memory(err);
    for (size_t u = 0; u < users->count; u++)
        for (size_t i = users->first[u] + 1; i < users->first[u + 1]; i++)
            if (users->submit_s[i] - users->submit_s[i - 1] <= LOOM_DAY_S)
                out->x[out->n++] = (double)(users->submit_s[i] - users->submit_s[i - 1]);
    return loom_sort(out->x, out->n, err);
}

typedef int gaps_fn(struct loom_sheet *sheet, const struct loom_sorted *gaps,
                    struct loom_error *err);

/* Let a function show the gaps; the script has the threshold as `gap`. */
static int show_gaps(struct loom_sheet *sheet, const struct loom_subject *subject, gaps_fn *show,
                     struct loom_error *err)
{
    struct loom_sorted gaps = {0};
    if (!has_users(sheet, subject))
        return 0;
    int rc = take_gaps(&gaps, subject->users, err);
    if (!rc && (gaps.n == 0 || gaps.x[gaps.n - 1] < 1))
        loom_sheet_skip(sheet, "no user submitted two jobs more than a second and up to a day "
                               "apart");
    else if (!rc)
        rc = show(sheet, &gaps, err);
    struct loom_session_rule rule =
        loom_definitions_rule(&subject->definitions, LOOM_SESSION_ARRIVAL);
    loom_sheet_set(sheet, "gap = %g\n", (double)rule.threshold_s);
    free(gaps.x);
    return rc;
}

/* Zeros have no place on a logarithmic axis, but count in the density of the others. */
static int write_density(struct loom_sheet *sheet, const struct loom_sorted *gaps,
                         struct loom_error *err)
{
    struct loom_histogram histogram;
    int rc = loom_histogram_log(&histogram, gaps->x, gaps->n, PER_DECADE, err);
    if (rc)
        return rc;
    loom_sheet_block(sheet, NULL, "interarrival_s,density_per_s");
    for (size_t i = 0; i < histogram.bins; i++) {
        /* Seconds are whole: a narrow bin between two of them holds none. */
        double seconds = ceil(histogram.edges[i + 1] - 1e-9) - ceil(histogram.edges[i] - 1e-9);
        if (seconds > 0 && histogram.counts[i] > 0)
            loom_sheet_row(sheet, sqrt(histogram.edges[i] * histogram.edges[i + 1]),
                           histogram.counts[i] / seconds / (double)gaps->n);
    }
    loom_histogram_free(&histogram);
    return 0;
}

static int write_cdf(struct loom_sheet *sheet, const struct loom_sorted *gaps,
                     struct loom_error *err)
{
    (void)err;
    loom_curve_cdf(sheet, NULL, "interarrival_s", gaps->x, gaps->n, 1, false);
    return 0;
}

static int write_zoom(struct loom_sheet *sheet, const struct loom_sorted *gaps,
                      struct loom_error *err)
{
    size_t below = 0;
    (void)err;
    loom_sheet_block(sheet, NULL, "interarrival_min,share");
    for (int minute = 0; minute <= ZOOM_MINUTES; minute++) {
        while (below < gaps->n && gaps->x[below] <= minute * MINUTE_S)
            below++;
        loom_sheet_row(sheet, minute, (double)below / (double)gaps->n);
    }
    return 0;
}

static int density(struct loom_sheet *sheet, const struct loom_subject *subject,
                   struct loom_error *err)
{
    return show_gaps(sheet, subject, write_density, err);
}

static int cdf(struct loom_sheet *sheet, const struct loom_subject *subject, struct loom_error *err)
{
    return show_gaps(sheet, subject, write_cdf, err);
}

static int zoom(struct loom_sheet *sheet, const struct loom_subject *subject,
                struct loom_error *err)
{
    return show_gaps(sheet, subject, write_zoom, err);
}

/* ---- think times ----------------------------------------------------------------------------- */

enum { LAST, MAX, BY };
enum { COMMON, UNIQUE, KINDS };

/* The think times after batches, up to a day, sorted. */
struct think {
    struct loom_sorted of[KINDS][BY];
};

/* Batches by one approach, as where the batch of each position starts; the think time before each
 * batch but a user's first. */
struct batches {
    uint32_t *start;   /* by position: the first of its batch */
    int64_t *before_s; /* by position that starts a batch; -1 if there is none */
};

static void find_batches(struct batches *out, const struct loom_users *users, int by)
{
    for (size_t u = 0; u < users->count; u++) {
        int64_t from_s = 0;
        for (size_t i = users->first[u]; i < users->first[u + 1]; i++) {
            bool first = i == users->first[u];
            int64_t think_s = users->submit_s[i] - from_s;
            out->start[i] = first || think_s > 0 ? (uint32_t)i : out->start[i - 1];
            out->before_s[i] = first ? -1 : think_s;
            int64_t ended_s = users->ended_s[i];
            from_s = first || by == LAST || ended_s > from_s ? ended_s : from_s;
        }
    }
}

/* The batch before position i, which starts one by approach `by`, is the same by the other if it
 * starts at the same position there and a new one starts at i too. */
static bool is_common(const struct batches *one, const struct batches *other, size_t i)
{
    return other->start[i] == i && other->start[i - 1] == one->start[i - 1];
}

static void take_think(struct think *think, const struct batches batches[BY],
                       const struct loom_users *users)
{
    for (int by = 0; by < BY; by++)
        for (size_t u = 0; u < users->count; u++)
            for (size_t i = users->first[u] + 1; i < users->first[u + 1]; i++) {
                const struct batches *own = &batches[by];
                if (own->start[i] != i || own->before_s[i] > LOOM_DAY_S)
                    continue;
                int kind = is_common(own, &batches[!by], i) ? COMMON : UNIQUE;
                struct loom_sorted *sorted = &think->of[kind][by];
                sorted->x[sorted->n++] = (double)own->before_s[i];
            }
}

static void free_think(struct think *think)
{
    for (int k = 0; k < KINDS; k++)
        for (int by = 0; by < BY; by++)
            free(think->of[k][by].x);
}

static int sort_think(struct think *think, struct loom_error *err)
{
    int rc = 0;
    for (int k = 0; k < KINDS; k++)
        for (int by = 0; by < BY && !rc; by++)
            rc = loom_sort(think->of[k][by].x, think->of[k][by].n, err);
    return rc;
}

static int make_think(struct think *think, const struct loom_users *users, struct loom_error *err)
{
    struct batches batches[BY];
    bool failed = false;
    *think = (struct think){0};
    for (int by = 0; by < BY; by++) {
        batches[by].start = malloc(users->n * sizeof *batches[by].start);
        batches[by].before_s = malloc(users->n * sizeof *batches[by].before_s);
        failed |= !batches[by].start || !batches[by].before_s;
        for (int k = 0; k < KINDS; k++) {
            think->of[k][by].x = malloc(users->n * sizeof(double));
            failed |= !think->of[k][by].x;
        }
    }
    for (int by = 0; by < BY && !failed; by++)
        find_batches(&batches[by], users, by);
    if (!failed)
        take_think(think, batches, users);
    int rc = failed ? loom_fail_memory(err) : sort_think(think, err);
    for (int by = 0; by < BY; by++) {
        free(batches[by].start);
        free(batches[by].before_s);
    }
    return rc;
}

static const char *const series[KINDS][BY] = {
    {"common, by last", "common, by max"},
    {"last alone", "max alone"},
};

static bool knows_waits(const struct loom_workload *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->wait_s[i] >= 0)
            return true;
    return false;
}

typedef void think_fn(struct loom_sheet *sheet, const struct think *think);

static int show_think(struct loom_sheet *sheet, const struct loom_subject *subject, think_fn *show,
                      struct loom_error *err)
{
    struct think think;
    if (!has_users(sheet, subject))
        return 0;
    if (!knows_waits(&subject->jobs))
        return loom_sheet_skip(sheet, "no job has a recorded wait, so end times are unknown");
    int rc = make_think(&think, subject->users, err);
    if (!rc && think.of[COMMON][LAST].n == 0)
        loom_sheet_skip(sheet, "no batch of a user is followed by another within a day");
    else if (!rc)
        show(sheet, &think);
    free_think(&think);
    return rc;
}

static void write_think(struct loom_sheet *sheet, const struct think *think)
{
    for (int k = 0; k < KINDS; k++)
        for (int by = 0; by < BY; by++)
            if (think->of[k][by].n > 0)
                loom_curve_cdf(sheet, series[k][by], "think_s", think->of[k][by].x,
                               think->of[k][by].n, 1, false);
}

static int think_times(struct loom_sheet *sheet, const struct loom_subject *subject,
                       struct loom_error *err)
{
    return show_think(sheet, subject, write_think, err);
}

/* The distance of each kind from the common think times of its approach. */
static void write_distances(struct loom_sheet *sheet, const struct think *think)
{
    for (int k = 0; k < KINDS; k++)
        for (int by = 0; by < BY; by++) {
            const struct loom_sorted *own = &think->of[k][by];
            const struct loom_sorted *common = &think->of[COMMON][k == COMMON ? !by : by];
            size_t within = 0;
            double sum = 0;
            for (size_t i = 0; i < own->n; i++) {
                sum += own->x[i];
                within += own->x[i] <= 20 * MINUTE_S;
            }
            const double n = (double)own->n;
            loom_sheet_block(sheet, series[k][by],
                             "think_times,median_s,mean_s,within_20_min,ks_to_common");
            loom_sheet_record(sheet,
                              (const double[]){n, loom_quantile(own->x, own->n, 0.5), sum / n,
                                               (double)within / n,
                                               loom_ks_two(own->x, own->n, common->x, common->n)},
                              5);
        }
}

static int think_distances(struct loom_sheet *sheet, const struct loom_subject *subject,
                           struct loom_error *err)
{
    return show_think(sheet, subject, write_distances, err);
}

#define MARK "set arrow from gap, graph 0 to gap, graph 1 nohead linestyle 9\n"

const struct loom_figure_ops loom_figures_think[] = {
    {.name = "user-interarrival",
     .section = "users",
     .title = "Times between submissions of a user",
     .caption =
         "Density of the times from one submission of a user to the next, up to a day, with both "
         "axes logarithmic. The line marks the threshold that ends sessions by arrivals: it should "
         "lie where the curve has become flat.",
     .data = density,
     .script =
         LOOM_TIME_X LOOM_LOG_Y MARK "set xrange [1:86400]\nset xlabel 'time between submissions'\n"
                                     "set ylabel 'density (1/s)'\n"
                                     "plot data using 1:2 with linespoints linestyle 1 notitle\n"},
    {.name = "user-interarrival-cdf",
     .section = "users",
     .title = "Times between submissions of a user, cumulative",
     .caption = "Share of the times from one submission of a user to the next, of those up to a "
                "day, that are at most the given one. The line marks the threshold of sessions.",
     .data = cdf,
     .script = LOOM_TIME_X MARK "set xrange [1:86400]\nset yrange [0:1]\n"
                                "set xlabel 'time between submissions'\nset ylabel 'P(X ≤ x)'\n"
                                "plot data using 1:2 with steps linestyle 1 notitle\n"},
    {.name = "user-interarrival-zoom",
     .section = "users",
     .title = "Times between submissions of a user, up to five hours",
     .caption = "The same in detail, minute by minute: where the slope stops changing, a break is "
                "no longer part of a session.",
     .data = zoom,
     .script = "gap = gap / 60\n" MARK
               "set xrange [0:300]\nset xtics 30\nset xlabel 'minutes between submissions'\n"
               "stats data using ($1 >= 5 ? $2 : NaN) nooutput\nset yrange [STATS_min < 1 ? "
               "STATS_min : 0:1]\n"
               "set ylabel 'P(X ≤ x)'\nplot data using 1:2 with lines linestyle 1 notitle\n"},
    {.name = "think-times",
     .section = "users",
     .title = "Think times after batches",
     .caption =
         "Share of think times, from the end of a batch to the user's next job, that are at most "
         "the given one, of those up to a day. A batch ends with the job submitted last (last) or "
         "when all of its jobs have ended (max). Common batches are the same by both; the others "
         "exist in one approach alone. The line marks 20 minutes.",
     .data = think_times,
     .script = LOOM_TIME_X
     "gap = 1200\n" MARK "set xrange [1:86400]\nset yrange [0:1]\n"
     "set xlabel 'think time'\nset ylabel 'P(X ≤ x)'\nset key top left\n"
     "stats data using 1:2 nooutput\n"
     "plot for [i=0:STATS_blocks-1] data index i using 1:2 with lines linestyle i+1 \\\n"
     "         linewidth wide(i, STATS_blocks) title columnheader(2)\n"},
    {.name = "think-time-distances",
     .section = "users",
     .title = "Think times by approach",
     .caption =
         "Think times up to a day after common batches and after batches of one approach alone, "
         "and the Kolmogorov-Smirnov distance from common batches of the same approach; for common "
         "ones, from the other approach.",
     .data = think_distances},
    {.name = NULL},
};
