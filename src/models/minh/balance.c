/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Balance the table of sizes for the runtimes drawn, in the improved variant of minh2012.
 *
 * The rows of the table are kinds and bands of runtimes. The model's kinds are normal and the log's
 * only nearly so: rows are drawn more or less often than they occur in the log, with longer or
 * shorter runtimes. With the log's counts, sizes would differ from the log, and work, most of it in
 * a few rows, even more. So the counts of single jobs and of jobs in bags are replaced by the table
 * that has
 *
 *   - the expected number of draws in each row,
 *   - the log's number of jobs of each size, and
 *   - the log's total work,
 *
 * and the smallest Kullback-Leibler divergence from the counts. It is the counts times a factor for
 * each row, a factor for each size, and exp(theta work). The first two are found by iterative
 * proportional fitting (Deming and Stephan 1940; Csiszar 1975 on its limit), theta by Newton's
 * method in between.
 */
#include "base/search.h"
#include "base/sort.h"
#include "models/minh/minh.h"

#include <math.h>
#include <stdlib.h>

/* ---- rows: how often they are drawn, and with which runtimes -------------------------------- */

enum { ROWS = LOOM_MINH_KINDS * LOOM_MINH_BANDS };

/* Chances of the rows, and mean runtimes of jobs whose size is drawn there. */
struct rows {
    double share[ROWS], run_s[ROWS];
};

/* Return the mean runtime of a kind below the cut, given the centre of the bag. */
static double mean_around(const struct loom_minh_sampler *sampler, size_t kind, double alike,
                          double centre)
{
    static const double FEW = 1e-3;
    const struct loom_minh_normal *k = &sampler->drawn[kind];
    double mean = k->mean + k->sd * sqrt(alike) * centre, sd = k->sd * sqrt(1 - alike);
    double longest_s = (double)sampler->longest_s;
    if (!(sd > 0))
        return fmin(longest_s, expm1(mean));
    double cut = (log1p(longest_s) - mean) / sd, below = erfc(-cut * M_SQRT1_2) / 2;
    if (below < FEW)
        return longest_s;
    return exp(mean + sd * sd / 2) * erfc((sd - cut) * M_SQRT1_2) / 2 / below - 1;
}

/* Return the mean runtime after a first one z deviations from the mean of the kind, integrated over
 * centres by Gauss-Hermite quadrature with five points. */
static double mean_after(const struct loom_minh_sampler *sampler, size_t kind, double alike,
                         double z)
{
    static const double at[] = {-2.8569700138728, -1.3556261799743, 0, 1.3556261799743,
                                2.8569700138728};
    static const double weights[] = {0.011257411327721, 0.22207592200561, 0.53333333333333,
                                     0.22207592200561, 0.011257411327721};
    double sum = 0;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        sum += weights[i] *
               mean_around(sampler, kind, alike, sqrt(alike) * z + sqrt(1 - alike) * at[i]);
    return sum;
}

/* Add the runtimes of a kind with this weight. `firsts` is the share of jobs that are first in
 * their bag; the size of a bag depends on its first runtime. */
static void add_kind(struct rows *rows, const struct loom_minh_sampler *sampler, size_t kind,
                     double weight, double alike, double firsts)
{
    enum { POINTS = 1200 };
    static const double FARTHEST = 6;
    const struct loom_minh_normal *k = &sampler->drawn[kind];
    double cut = (log1p((double)sampler->longest_s) - k->mean) / k->sd;
    double end = fmin(FARTHEST, cut), step = (end + FARTHEST) / POINTS;
    double all = erfc(-end * M_SQRT1_2) / 2;
    for (size_t i = 0; i < POINTS; i++) {
        double z = -FARTHEST + step * ((double)i + 0.5);
        int64_t run_s = loom_minh_run(sampler, kind, z);
        size_t as = loom_minh_kind_of(sampler, log1p((double)run_s));
        size_t row = as * LOOM_MINH_BANDS + loom_minh_band(sampler->shapes, as, run_s);
        double share = weight * step * M_2_SQRTPI * M_SQRT1_2 / 2 * exp(-0.5 * z * z) / all;
        double after_s = firsts < 1 ? mean_after(sampler, kind, alike, z) : 0;
        rows->share[row] += share;
        rows->run_s[row] += share * (firsts * (double)run_s + (1 - firsts) * after_s);
    }
}

static void find_rows(struct rows *rows, const struct loom_minh *minh,
                      const struct loom_minh_sampler *sampler, enum loom_minh_place place,
                      double firsts)
{
    const struct loom_minh_shapes *shapes = &minh->shapes;
    double sum = 0;
    *rows = (struct rows){0};
    for (size_t k = 0; k < shapes->n_kinds; k++)
        sum += loom_minh2012_weight(&shapes->kinds[k], place);
    for (size_t k = 0; k < shapes->n_kinds && sum > 0; k++)
        add_kind(rows, sampler, k, loom_minh2012_weight(&shapes->kinds[k], place) / sum,
                 minh->refined.alike[k], firsts);
    for (size_t row = 0; row < ROWS; row++)
        if (rows->share[row] > 0)
            rows->run_s[row] /= rows->share[row];
}

/* ---- the table ------------------------------------------------------------------------------- */

/* A number of jobs in the table. */
struct entry {
    double *jobs;     /* as the table has it */
    double counts[2]; /* and as the log has it, by place */
    size_t row, size;
    double procs;
    double raked; /* the first, before work is added */
    double work;  /* of a job */
    double rest;  /* of the work, after what rows and sizes have of it on average */
};

/* Jobs by row, or by size. */
struct margin {
    size_t n;
    double *jobs; /* wanted */
    double *sums; /* room for as many */
};

struct table {
    size_t n;
    struct entry *entries;
    struct margin rows, sizes;
    double work; /* wanted */
};

static size_t minh_balance_at(const struct table *table, const struct margin *margin, size_t entry)
{
    return margin == &table->rows ? table->entries[entry].row : table->entries[entry].size;
}

static void sum_jobs(struct table *table, struct margin *margin)
{
    for (size_t i = 0; i < margin->n; i++)
        margin->sums[i] = 0;
    for (size_t i = 0; i < table->n; i++)
        margin->sums[minh_balance_at(table, margin, i)] += *table->entries[i].jobs;
}

static void scale(struct table *table, struct margin *margin)
{
    sum_jobs(table, margin);
    for (size_t i = 0; i < table->n; i++) {
        size_t k = minh_balance_at(table, margin, i);
        if (margin->sums[k] > 0)
            *table->entries[i].jobs *= margin->jobs[k] / margin->sums[k];
    }
}

/* Subtract the mean of each row, or size, from the rest of the work. */
static void minh_balance_centre(struct table *table, struct margin *margin)
{
    for (size_t i = 0; i < margin->n; i++)
        margin->sums[i] = 0;
    for (size_t i = 0; i < table->n; i++)
        if (*table->entries[i].jobs > 0)
            margin->sums[minh_balance_at(table, margin, i)] +=
                *table->entries[i].jobs * table->entries[i].rest;
    for (size_t i = 0; i < table->n; i++) {
        size_t k = minh_balance_at(table, margin, i);
        if (margin->jobs[k] > 0)
            table->entries[i].rest -= margin->sums[k] / margin->jobs[k];
    }
}

/* Do a Newton step towards the wanted work. With rows and sizes kept, theta changes the residual of
 * the work after their effects, and the work by the variance of the residual. Return the share of
 * the work that was missing. */
static double add_work(struct table *table)
{
    enum { SWEEPS = 5 };
    double work = 0, slope = 0, most = 0;
    for (size_t i = 0; i < table->n; i++) {
        table->entries[i].rest = table->entries[i].work;
        work += *table->entries[i].jobs * table->entries[i].work;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        minh_balance_centre(table, &table->rows);
        minh_balance_centre(table, &table->sizes);
    }
    for (size_t i = 0; i < table->n; i++) {
        double rest = table->entries[i].rest;
        slope += *table->entries[i].jobs * rest * rest;
        most = fmax(most, *table->entries[i].jobs > 0 ? fabs(rest) : 0);
    }
    if (!(slope > 0 && table->work > 0))
        return 0;
    double theta = fmin(1 / most, fmax(-1 / most, (table->work - work) / slope));
    for (size_t i = 0; i < table->n; i++)
        if (*table->entries[i].jobs > 0)
            *table->entries[i].jobs *= exp(theta * table->entries[i].rest);
    return fabs(table->work - work) / table->work;
}

/* Do a step of iterative proportional fitting. Return the share of jobs of a wrong size. */
static double rake(struct table *table)
{
    double off = 0, all = 0;
    scale(table, &table->rows);
    scale(table, &table->sizes);
    for (size_t i = 0; i < table->sizes.n; i++) {
        off += fabs(table->sizes.sums[i] - table->sizes.jobs[i]) / 2;
        all += table->sizes.jobs[i];
    }
    return off / all;
}

/* Scale the rows last, since their frequencies are fixed. If no table has both margins, the result
 * is the limit of the iteration; if none with both has the work, the work is not adjusted. */
static void minh_balance_settle(struct table *table)
{
    enum { STEPS = 100 };
    static const double ENOUGH = 1e-5, NEAR = 1e-2;
    double off = 1, lacking = 1;
    for (int step = 0; step < STEPS && off > ENOUGH; step++)
        off = rake(table);
    for (size_t i = 0; i < table->n; i++)
        table->entries[i].raked = *table->entries[i].jobs;
    for (int step = 0; step < STEPS && off < NEAR && lacking > ENOUGH; step++) {
        lacking = add_work(table);
        off = rake(table);
    }
    for (size_t i = 0; i < table->n && !(off < NEAR && lacking < NEAR); i++)
        *table->entries[i].jobs = table->entries[i].raked;
    scale(table, &table->rows);
}

/* ---- making it ready ------------------------------------------------------------------------- */

/* What the log has in a place. */
struct jobs {
    double n, firsts, work;
};

static void measure_log(struct jobs places[2], const struct loom_minh_log *log)
{
    const struct loom_shapes *jobs = log->jobs;
    for (size_t b = 0, i = 0; b < log->bags->count; b++) {
        struct jobs *place = &places[loom_bag_size(log->bags, b) > 1];
        bool first = true;
        for (; i < jobs->n && jobs->job[i] < log->bags->first[b + 1]; i++, first = false) {
            place->n++;
            place->firsts += first;
            place->work += (double)jobs->run_s[i] * jobs->procs[i];
        }
    }
}

/* Return the *n distinct sizes of the table, ascending. */
static int64_t *list_sizes(size_t *n, const struct loom_minh_shapes *shapes, size_t entries)
{
    int64_t *sizes = malloc((entries + 1) * sizeof *sizes);
    size_t all = 0, different = 0;
    for (size_t i = 0; sizes && i < shapes->n_cells; i++)
        for (size_t s = 0; s < shapes->cells[i].n; s++)
            sizes[all++] = shapes->cells[i].procs[s];
    if (sizes)
        loom_sort_int64(sizes, all);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || sizes[i] != sizes[i - 1])
            sizes[different++] = sizes[i];
    *n = different;
    return sizes;
}

static size_t balance_row_of(const struct loom_minh_cell *cell)
{
    return (size_t)(cell->kind - 1) * LOOM_MINH_BANDS + (size_t)(cell->band - 1);
}

/* Allocate a margin: targets and sums in one block. */
static struct margin open_margin(size_t n)
{
    double *jobs = calloc(2 * n + 1, sizeof *jobs);
    return (struct margin){n, jobs, jobs ? jobs + n : NULL};
}

static int open_table(struct table *table, const struct loom_minh_shapes *shapes,
                      struct loom_error *err)
{
    size_t n = 0, different = 0;
    for (size_t i = 0; i < shapes->n_cells; i++)
        n += shapes->cells[i].n;
    int64_t *sizes = list_sizes(&different, shapes, n);
    table->entries = malloc((n + 1) * sizeof *table->entries);
    table->rows = open_margin(ROWS);
    table->sizes = open_margin(different);
    bool made = sizes && table->entries && table->rows.jobs && table->sizes.jobs;
    for (size_t i = 0; made && i < shapes->n_cells; i++)
        for (size_t s = 0; s < shapes->cells[i].n; s++) {
            const struct loom_minh_cell *cell = &shapes->cells[i];
            int64_t procs = cell->procs[s];
            table->entries[table->n++] =
                (struct entry){.counts = {cell->by_place[0][s], cell->by_place[1][s]},
                               .row = balance_row_of(cell),
                               .size = loom_lower_bound(sizes, different, procs),
                               .procs = (double)procs};
        }
    free(sizes);
    return made ? 0 : loom_fail_memory(err);
}

static void close_table(struct table *table)
{
    free(table->entries);
    free(table->rows.jobs);
    free(table->sizes.jobs);
}

/* Start from the counts, plus one job in each row, split like all jobs of the row, single or in
 * bags: a row of few jobs then allows the sizes usual there. */
static void minh_balance_begin(struct table *table, struct loom_minh_shapes *shapes, int place)
{
    double all[ROWS] = {0};
    for (size_t i = 0; i < table->n; i++)
        all[table->entries[i].row] += table->entries[i].counts[0] + table->entries[i].counts[1];
    for (size_t i = 0; i < table->sizes.n; i++)
        table->sizes.jobs[i] = 0;
    struct entry *entry = table->entries;
    for (size_t i = 0; i < shapes->n_cells; i++)
        for (size_t s = 0; s < shapes->cells[i].n; s++, entry++) {
            double own = entry->counts[place], other = entry->counts[1 - place];
            entry->jobs = &shapes->cells[i].by_place[place][s];
            *entry->jobs = own + (own + other) / all[entry->row];
            table->sizes.jobs[entry->size] += own;
        }
}

static void balance(struct table *table, struct loom_minh *minh,
                    const struct loom_minh_sampler *sampler, int place, const struct jobs *jobs)
{
    struct rows rows;
    find_rows(&rows, minh, sampler, (enum loom_minh_place)place, jobs->firsts / jobs->n);
    minh_balance_begin(table, &minh->shapes, place);
    for (size_t row = 0; row < ROWS; row++)
        table->rows.jobs[row] = rows.share[row] * jobs->n;
    for (size_t i = 0; i < table->n; i++)
        table->entries[i].work = table->entries[i].procs * rows.run_s[table->entries[i].row];
    table->work = jobs->work;
    minh_balance_settle(table);
}

int loom_minh_balance(struct loom_minh *minh, const struct loom_minh_log *log,
                      struct loom_error *err)
{
    struct loom_generation generation = {.procs = INT32_MAX, .log_procs = INT32_MAX};
    struct loom_minh_sampler sampler;
    int rc =
        loom_minh_sampler_init(&sampler, &minh->shapes, loom_minh2012_weight, &generation, "", err);
    if (rc)
        return rc;
    loom_minh_cut(&sampler, minh->refined.longest_s);
    struct jobs places[2] = {{0}};
    measure_log(places, log);
    struct table table = {0};
    rc = open_table(&table, &minh->shapes, err);
    for (int place = 0; place < 2 && !rc; place++)
        if (places[place].n > 0)
            balance(&table, minh, &sampler, place, &places[place]);
    close_table(&table);
    loom_minh_sampler_free(&sampler);
    return rc;
}
