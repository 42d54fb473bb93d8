/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Gantt chart of a window: each job a rectangle of its time and processors, coloured by who
 * submitted it or by why it started then. Users beyond those who had most of the window share one
 * colour; jobs large enough have their number in them. Of a grid, the clusters stand one above the
 * other, and local jobs differ from the grid's.
 */
#include "report/runs.h"

#include <inttypes.h>
#include <stdlib.h>

enum { COLOURS = LOOM_RUNS_SHOWN + 1, MOST_NUMBERED = 150, LABEL_SIZE = 61 };

/* Which colour a job has. The last is for all others. */
struct palette {
    int32_t users[LOOM_RUNS_SHOWN];
    size_t n;
};

/* Local jobs of a grid are not coloured by user. */
enum { LOCAL = -2 };

static const struct loom_sim_job *job_of(const struct loom_shown_gantt *shown,
                                         const struct loom_gantt_bar *bar)
{
    const struct loom_sim *sim =
        shown->grid ? loom_grid_cluster(shown->grid, bar->cluster) : shown->sim;
    return &loom_sim_jobs(sim, NULL)[bar->job];
}

static bool is_local(const struct loom_shown_gantt *shown, const struct loom_gantt_bar *bar)
{
    return shown->grid && !(job_of(shown, bar)->notes & LOOM_JOB_GRID);
}

/* Clusters number the users of grid jobs on from their own. */
static int32_t user_of(const struct loom_shown_gantt *shown, const struct loom_gantt_bar *bar)
{
    const struct loom_sim_job *job = job_of(shown, bar);
    if (is_local(shown, bar))
        return LOCAL;
    return shown->grid ? loom_trace_jobs(shown->trace)->user[job->row] : job->user;
}

static bool tells_why(const struct loom_shown_gantt *shown)
{
    return shown->grid ? shown->cluster_starts != NULL : shown->starts != NULL;
}

static bool tells_home(const struct loom_shown_gantt *shown)
{
    return shown->grid && !shown->cluster_starts && shown->by_home;
}

/* ---- users ----------------------------------------------------------------------------------- */

struct share {
    int32_t user;
    int64_t area; /* processors * s */
};

static int by_user(const void *left, const void *right)
{
    const struct share *a = left, *b = right;
    return (a->user > b->user) - (a->user < b->user);
}

/* The largest first; of equal ones the user of the lower number. */
static int by_area(const void *left, const void *right)
{
    const struct share *a = left, *b = right;
    return a->area != b->area ? (a->area < b->area) - (a->area > b->area) : by_user(left, right);
}

static size_t add_gantt_up(struct share *shares, size_t n)
{
    size_t kept = 0;
    qsort(shares, n, sizeof *shares, by_user);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && shares[kept - 1].user == shares[i].user)
            shares[kept - 1].area += shares[i].area;
        else
            shares[kept++] = shares[i];
    }
    return kept;
}

static int choose_users(struct palette *out, const struct loom_shown_gantt *shown,
                        struct loom_error *err)
{
    const struct loom_gantt *gantt = shown->gantt;
    struct share *shares = malloc((gantt->count + 1) * sizeof *shares);
    if (!shares)
        return loom_fail_memory(err);
    for (size_t i = 0; i < gantt->count; i++) {
        const struct loom_gantt_bar *bar = &gantt->bars[i];
        shares[i] = (struct share){user_of(shown, bar), (bar->to_s - bar->from_s) * bar->procs};
    }
    size_t n = add_gantt_up(shares, gantt->count);
    qsort(shares, n, sizeof *shares, by_area);
    for (out->n = 0; out->n < n && out->n < LOOM_RUNS_SHOWN; out->n++)
        out->users[out->n] = shares[out->n].user;
    free(shares);
    return 0;
}

/* ---- colours --------------------------------------------------------------------------------- */

static const char *const whys[] = {
    [LOOM_WHY_TURN] = "in its turn",
    [LOOM_WHY_BEFORE] = "backfilled: ends before the reservation",
    [LOOM_WHY_BESIDE] = "backfilled: beside the reservation",
    [LOOM_WHY_PLANNED] = "at its reservation",
    [LOOM_WHY_OTHER] = "by a rule of the policy",
};

static size_t colour_of(const struct loom_shown_gantt *shown, const struct palette *palette,
                        const struct loom_gantt_bar *bar)
{
    if (tells_why(shown))
        return (size_t)loom_start_log_why(shown->grid ? shown->cluster_starts[bar->cluster]
                                                      : shown->starts,
                                          bar->job);
    if (tells_home(shown))
        return is_local(shown, bar);
    int32_t user = user_of(shown, bar);
    size_t at = 0;
    while (at < palette->n && palette->users[at] != user)
        at++;
    return at < palette->n ? at : LOOM_RUNS_SHOWN;
}

static void open_colour(struct loom_sheet *sheet, const struct loom_shown_gantt *shown,
                        const struct palette *palette, size_t colour)
{
    char user[32];
    const char *series = user;
    if (tells_why(shown))
        series = whys[colour];
    else if (tells_home(shown))
        series = colour ? "local jobs" : "grid jobs";
    else if (colour >= palette->n)
        series = "other users";
    else if (palette->users[colour] == LOCAL)
        series = "local jobs";
    else if (palette->users[colour] < 0)
        series = "unknown user";
    else
        snprintf(user, sizeof user, "user %" PRId32, palette->users[colour]);
    loom_sheet_block(sheet, series,
                     shown->grid ? "from_s,to_s,first_proc,procs,job,cluster"
                                 : "from_s,to_s,first_proc,procs,job");
}

/* ---- rectangles ------------------------------------------------------------------------------ */

enum { NUMBER_SIZE = 24 };

/* Print the number of a job in its log; empty if it is not known. Returns the length. */
static int print_job(char out[NUMBER_SIZE], const struct loom_shown_gantt *shown,
                     const struct loom_gantt_bar *bar)
{
    const struct loom_jobs *log = loom_trace_jobs(
        is_local(shown, bar) ? shown->clusters[bar->cluster].background : shown->trace);
    uint32_t row = job_of(shown, bar)->row;
    *out = '\0';
    return row < log->n ? snprintf(out, NUMBER_SIZE, "%" PRId64, log->number[row]) : 0;
}

/* Times are since the beginning of the window. */
static void write_bar(struct loom_sheet *sheet, const struct loom_shown_gantt *shown,
                      const struct loom_gantt_bar *bar)
{
    int64_t begin_s = shown->gantt->window.from_s;
    const int64_t numbers[] = {bar->from_s - begin_s, bar->to_s - begin_s, bar->first, bar->procs};
    enum { N = sizeof numbers / sizeof *numbers };
    char texts[N + 1][NUMBER_SIZE], cluster[LABEL_SIZE];
    const char *fields[N + 2];
    for (size_t i = 0; i < N; i++)
        snprintf(texts[i], NUMBER_SIZE, "%" PRId64, numbers[i]);
    print_job(texts[N], shown, bar);
    for (size_t i = 0; i <= N; i++)
        fields[i] = texts[i];
    if (shown->grid)
        fields[N + 1] =
            loom_plain_label(shown->clusters[bar->cluster].name, cluster, sizeof cluster);
    loom_sheet_fields(sheet, fields, shown->grid ? N + 2 : N + 1);
}

static bool has_colour(const struct loom_shown_gantt *shown, const struct palette *palette,
                       size_t colour)
{
    for (size_t i = 0; i < shown->gantt->count; i++)
        if (colour_of(shown, palette, &shown->gantt->bars[i]) == colour)
            return true;
    return false;
}

static void write_colour(struct loom_sheet *sheet, const struct loom_shown_gantt *shown,
                         const struct palette *palette, size_t colour)
{
    const struct loom_gantt *gantt = shown->gantt;
    open_colour(sheet, shown, palette, colour);
    for (size_t i = 0; i < gantt->count; i++)
        if (colour_of(shown, palette, &gantt->bars[i]) == colour)
            write_bar(sheet, shown, &gantt->bars[i]);
}

/* Digits need about a hundredth of the width each, and a line a twentieth of the height. */
static bool has_room(const struct loom_gantt *gantt, const struct loom_gantt_bar *bar, int length)
{
    double width =
        (double)(bar->to_s - bar->from_s) / (double)(gantt->window.to_s - gantt->window.from_s);
    double height = (double)bar->procs / (double)gantt->procs;
    return width > 0.012 * (length + 1) && height > 0.05;
}

/* Write the block of job numbers, if any bar has room for one. Returns how many there are. gnuplot
 * 5.4 crashes on a plot of labels without a single point, so the script must leave that one out. */
static size_t write_numbers(struct loom_sheet *sheet, const struct loom_shown_gantt *shown,
                            double unit_s)
{
    const struct loom_gantt *gantt = shown->gantt;
    size_t written = 0;
    for (size_t i = 0; i < gantt->count && gantt->jobs <= MOST_NUMBERED; i++) {
        const struct loom_gantt_bar *bar = &gantt->bars[i];
        char number[NUMBER_SIZE];
        int length = print_job(number, shown, bar);
        if (length == 0 || !has_room(gantt, bar, length))
            continue;
        double middle_s = (double)(bar->from_s + bar->to_s) / 2 - (double)gantt->window.from_s;
        if (written++ == 0)
            loom_sheet_marks(sheet);
        fprintf(sheet->blocks, "%.9g\t%.9g\t%s\n", middle_s / unit_s,
                (double)bar->first + (double)bar->procs / 2, number);
    }
    return written;
}

/* Where on the axis each cluster is, and what it is called. */
static void write_clusters(struct loom_sheet *sheet, const struct loom_shown_gantt *shown)
{
    int64_t below = 0;
    loom_sheet_marks(sheet);
    for (size_t i = 0; below < shown->gantt->procs; i++) {
        int64_t procs = loom_sim_procs(loom_grid_cluster(shown->grid, i));
        char label[LABEL_SIZE];
        fprintf(sheet->blocks, "%.9g\t%" PRId64 "\t%s\n", (double)below + (double)procs / 2,
                below + procs, loom_plain_label(shown->clusters[i].name, label, sizeof label));
        below += procs;
    }
}

static int chart(struct loom_sheet *sheet, const struct loom_runs *runs, struct loom_error *err)
{
    const struct loom_shown_gantt *shown = runs->gantt;
    const struct loom_gantt *gantt = shown->gantt;
    struct palette palette = {.n = 0};
    int64_t length_s = gantt->window.to_s - gantt->window.from_s;
    bool by_user = !tells_why(shown) && !tells_home(shown);
    size_t n_colours = tells_why(shown) ? LOOM_WHY_OTHER + 1 : COLOURS;
    int rc = by_user ? choose_users(&palette, shown, err) : 0;
    if (rc)
        return rc;
    double unit_s = loom_unit_set(sheet, length_s, 1).length_s;
    loom_sheet_set(sheet, "length = %.9g\nprocessors = %" PRId64 "\njobs = %zu\ncolours = '",
                   (double)length_s / unit_s, gantt->procs, gantt->jobs);
    for (size_t colour = 0; colour < n_colours; colour++)
        if (has_colour(shown, &palette, colour)) {
            loom_sheet_set(sheet, " %zu", colour + 1);
            write_colour(sheet, shown, &palette, colour);
        }
    if (shown->grid)
        write_clusters(sheet, shown);
    loom_sheet_set(sheet, "'\nnumbers = %d\n", write_numbers(sheet, shown, unit_s) > 0);
    return 0;
}

/* First the blocks of rectangles, whose colours are in the settings; then, of a grid, the block of
 * clusters; last the block of job numbers, if any: its part of the plot is a macro, since even a
 * loop of no turns would read the block. */
#define GANTT(axis, clusters, more)                                                                \
    LOOM_UNIT_X("since the beginning of the window")                                               \
    axis                                                                                           \
        "colour(i) = word('#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #F0E442 #999999', i)\n" \
        "blocks = words(colours)\n"                                                                \
        "set xrange [0:length]\nset yrange [0:processors]\n"                                       \
        "set key above center horizontal samplen 1.2\n"                                            \
        "set grid front noxtics noytics\n"                                                         \
        "set style fill solid 0.85 border rgb 'white'\n"                                           \
        "labels = numbers == 0 ? '' : \", data index blocks + " clusters " using 1:2:\" . \\\n"    \
        "    \"(sprintf('%d', $3)) with labels font ',9' textcolor rgb '#111111' notitle\"\n"      \
        "plot for [i=0:blocks-1] data index i using (($1 + $2) / 2 / unit_s):($3 + $4 / 2.0): "    \
        "\\\n"                                                                                     \
        "    ($1 / unit_s):($2 / unit_s):3:($3 + $4) with boxxyerror \\\n"                         \
        "    linewidth (jobs > 400 ? 0.15 : 0.6) fillcolor rgb "                                   \
        "colour(int(word(colours, i + 1))) \\\n"                                                   \
        "    title columnheader(2)" more " @labels\n"

const struct loom_figure_ops loom_figures_gantt[] = {
    {.name = "gantt",
     .section = "chart",
     .title = "Gantt chart",
     .caption =
         "Each rectangle is a job: its time along, its processors up. Processors are given "
         "out first fit, so that a job is in one piece where it can be; a schedule says only "
         "how many it has.",
     .outcomes = chart,
     .script = GANTT("set ylabel 'processor'\n", "0", ""),
     .height = 0.5,
     .width = 1.9},
    {.name = NULL},
};

const struct loom_figure_ops loom_figures_grid_gantt[] = {
    {.name = "gantt",
     .section = "chart",
     .title = "Gantt chart",
     .caption =
         "Each rectangle is a job: its time along, its processors up, on the cluster where it ran. "
         "Processors are given out first fit, so that a job is in one piece where it can be; a "
         "schedule says only how many it has.",
     .outcomes = chart,
     .script =
         GANTT("set ytics scale 0\n", "1",
               ", \\\n    '' index blocks using (0):2:(length):(0) with vectors nohead "
               "linewidth 1.5 linecolor rgb 'black' notitle, \\\n"
               "    '' index blocks using (0):1:ytic(3) with dots linecolor rgb 'white' notitle"),
     .height = 0.6,
     .width = 1.9},
    {.name = NULL},
};
