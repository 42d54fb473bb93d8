/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress.c - one line on the terminal that says how far a long piece of work has come.
 *
 * Any thread may add to the count; the thread that finds a redraw due does it, and others never
 * wait for it. The rate is the mean since the start, and the time left assumes that it stays. A
 * line is drawn by a single write, so that it does not mix with other messages, and work that is
 * over within the first tenth of a second draws nothing.
 */
#include "base/progress.h"

#include "base/text.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    REDRAW_NS = 100 * 1000 * 1000,
    DEFAULT_COLUMNS = 80,
    MAX_COLUMNS = 240,
    MIN_BAR = 5,
    MAX_BAR = 30,
};

struct terminal_line {
    struct loom_progress progress; /* first: it is what the caller has */
    char *label, *unit;
    uint64_t total;
    int64_t start_ns;
    atomic_uint_least64_t done;
    atomic_int_least64_t due_ns; /* when to redraw */
    atomic_flag drawing;         /* guards drawn and the terminal */
    bool drawn;
};

/* ---- what the line says ---------------------------------------------------------------------- */

/* A text that ends at a number of columns or bytes, whichever comes first. */
struct strip {
    char *buf;
    size_t size, used;
    unsigned columns, limit;
};

/* Bytes of the character at text, or 0 if it cannot be shown. */
static size_t shown_length(const char *text)
{
    bool printable;
    size_t length = loom_utf8_step(text, strnlen(text, 4), &printable);
    return printable ? length : 0;
}

static void progress_put(struct strip *strip, const char *text)
{
    while (*text && strip->columns < strip->limit) {
        size_t length = shown_length(text);
        const char *shown = length > 0 ? text : "?";
        text += length > 0 ? length : 1;
        length = length > 0 ? length : 1;
        if (length >= strip->size - strip->used) {
            strip->size = strip->used + 1; /* what comes after must not close the gap */
            break;
        }
        memcpy(strip->buf + strip->used, shown, length);
        strip->used += length;
        strip->columns++;
    }
    strip->buf[strip->used] = '\0';
}

static unsigned width_of(const char *text)
{
    unsigned width = 0;
    for (; *text; width++) {
        size_t length = shown_length(text);
        text += length > 0 ? length : 1;
    }
    return width;
}

/* "1.2 M jobs", "35 k jobs", "7 jobs", "1.2 MB": two or three digits and a decimal prefix. */
static void format_amount(char *buf, size_t size, double amount, const char *unit)
{
    static const char prefixes[][2] = {"", "k", "M", "G", "T", "P", "E"};
    size_t step = 0;
    while (amount >= 999.5 && step + 1 < sizeof prefixes / sizeof prefixes[0]) {
        amount /= 1000;
        step++;
    }
    bool whole = step == 0 && amount == floor(amount);
    int digits = whole || amount >= 9.95 ? 0 : 1;
    const char *space = step > 0 && strlen(unit) > 1 ? " " : "";
    snprintf(buf, size, "%.*f %s%s%s", digits, amount, prefixes[step], space, unit);
}

/* "0:07", "2:03:04", "5d 06h". */
static void format_time(char *buf, size_t size, double time_s)
{
    if (!(time_s < 1e9)) {
        snprintf(buf, size, "-:--");
        return;
    }
    long s = (long)time_s;
    if (s < 3600)
        snprintf(buf, size, "%ld:%02ld", s / 60, s % 60);
    else if (s < 86400)
        snprintf(buf, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(buf, size, "%ldd %02ldh", s / 86400, s / 3600 % 24);
}

/* All that follows the bar. */
static void format_figures(char *buf, size_t size, const struct loom_progress_view *view)
{
    char amount[64], speed[64], span[32];
    double done = (double)view->done;
    double rate = view->elapsed_s > 0 ? done / view->elapsed_s : 0;
    format_amount(speed, sizeof speed, rate, view->unit);
    if (view->total == 0) {
        format_amount(amount, sizeof amount, done, view->unit);
        format_time(span, sizeof span, view->elapsed_s);
        snprintf(buf, size, "%s  %s/s  %s", amount, speed, span);
        return;
    }
    double total = (double)view->total;
    bool complete = view->done >= view->total;
    double percent = complete ? 100 : fmin(99, floor(100 * done / total));
    double left_s = complete ? 0 : rate > 0 ? ceil((total - done) / rate) : INFINITY;
    format_time(span, sizeof span, left_s);
    snprintf(buf, size, "%3.0f%%  %s/s  %s left", percent, speed, span);
}

/* "[=====>    ]  ", with `inside` characters between the brackets. */
static void put_bar(struct strip *strip, const struct loom_progress_view *view, unsigned inside)
{
    char bar[MAX_BAR + 1];
    double part = fmin(1, (double)view->done / (double)view->total);
    unsigned filled = (unsigned)(part * inside);
    memset(bar, ' ', inside);
    memset(bar, '=', filled);
    if (filled < inside)
        bar[filled] = '>';
    bar[inside] = '\0';
    progress_put(strip, "[");
    progress_put(strip, bar);
    progress_put(strip, "]  ");
}

size_t loom_progress_format(const struct loom_progress_view *view, char *buf, size_t size)
{
    if (size == 0)
        return 0;
    buf[0] = '\0';
    char figures[256];
    format_figures(figures, sizeof figures, view);
    unsigned columns = (view->columns > 0 ? view->columns : DEFAULT_COLUMNS) - 1;
    unsigned taken = width_of(figures) + 2;
    struct strip strip = {.buf = buf, .size = size};
    /* The figures matter most, so a long label is cut to leave them room. */
    strip.limit = columns > taken ? columns - taken : 0;
    progress_put(&strip, view->label);
    strip.limit = columns;
    if (strip.columns > 0)
        progress_put(&strip, "  ");
    unsigned frame = 4; /* brackets, and two spaces behind */
    unsigned room = columns + 2 > strip.columns + taken + frame
                        ? columns + 2 - strip.columns - taken - frame
                        : 0;
    if (view->total > 0 && room >= MIN_BAR)
        put_bar(&strip, view, room < MAX_BAR ? room : MAX_BAR);
    progress_put(&strip, figures);
    return strip.used;
}

/* ---- when and where it is drawn -------------------------------------------------------------- */

static int64_t now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static unsigned terminal_columns(void)
{
    struct winsize window = {0};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0)
        return DEFAULT_COLUMNS;
    return window.ws_col < MAX_COLUMNS ? window.ws_col : MAX_COLUMNS;
}

/* A line that cannot be drawn is not worth an error. */
static void progress_show(const char *text, size_t length)
{
    if (write(STDERR_FILENO, text, length) < 0)
        return;
}

static void progress_draw(struct terminal_line *line, int64_t time_ns)
{
    char text[4 * MAX_COLUMNS + 16] = "\r";
    struct loom_progress_view view = {
        .label = line->label,
        .unit = line->unit,
        .done = atomic_load_explicit(&line->done, memory_order_relaxed),
        .total = line->total,
        .elapsed_s = (double)(time_ns - line->start_ns) * 1e-9,
        .columns = terminal_columns(),
    };
    size_t length = 1 + loom_progress_format(&view, text + 1, sizeof text - 8);
    memcpy(text + length, "\033[K", 3);
    progress_show(text, length + 3);
    line->drawn = true;
}

static bool terminal_wants_lines(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && !(kind && strcmp(kind, "dumb") == 0);
}

/* Count, and redraw the line if that is due. */
static void progress_add(struct loom_progress *progress, uint64_t amount)
{
    struct terminal_line *line = (struct terminal_line *)progress;
    atomic_fetch_add_explicit(&line->done, amount, memory_order_relaxed);
    int64_t time_ns = now_ns();
    if (time_ns < atomic_load_explicit(&line->due_ns, memory_order_relaxed))
        return;
    if (atomic_flag_test_and_set_explicit(&line->drawing, memory_order_acquire))
        return;
    if (time_ns >= atomic_load_explicit(&line->due_ns, memory_order_relaxed)) {
        atomic_store_explicit(&line->due_ns, time_ns + REDRAW_NS, memory_order_relaxed);
        progress_draw(line, time_ns);
    }
    atomic_flag_clear_explicit(&line->drawing, memory_order_release);
}

void loom_progress_add(struct loom_progress *progress, uint64_t amount)
{
    if (progress)
        progress->add(progress, amount);
}

struct loom_progress *loom_progress_create(const char *label, const char *unit, uint64_t total,
                                           bool quiet)
{
    if (quiet || !terminal_wants_lines())
        return NULL;
    struct terminal_line *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    line->progress.add = progress_add;
    line->label = strdup(label);
    line->unit = strdup(unit);
    if (!line->label || !line->unit) {
        loom_progress_destroy(&line->progress);
        return NULL;
    }
    line->total = total;
    line->start_ns = now_ns();
    atomic_init(&line->done, 0);
    atomic_init(&line->due_ns, line->start_ns + REDRAW_NS);
    atomic_flag_clear(&line->drawing);
    return &line->progress;
}

void loom_progress_destroy(struct loom_progress *progress)
{
    if (!progress)
        return;
    struct terminal_line *line = (struct terminal_line *)progress;
    if (line->drawn)
        progress_show("\r\033[K", 4);
    free(line->unit);
    free(line->label);
    free(line);
}
