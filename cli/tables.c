/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables on the terminal: their width, their cells in human units, and how they get to stdout. */
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const struct loom_param table_params[] = {
    {.name = "wide", .type = LOOM_PARAM_FLAG, .help = "show all columns of tables"},
    {.name = NULL},
};

/* ---- width ----------------------------------------------------------------------------------- */

enum { LEAST_WIDTH = 20, DEFAULT_WIDTH = 100 };

/* The width of the terminal behind stdout or, if that is a pipe, behind stderr; 0 if there is none.
 */
static size_t tty_width(void)
{
    static const int files[] = {STDOUT_FILENO, STDERR_FILENO};
    struct winsize size;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (isatty(files[i]) && ioctl(files[i], TIOCGWINSZ, &size) == 0 &&
            size.ws_col >= LEAST_WIDTH)
            return size.ws_col;
    return 0;
}

size_t terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    char *end = NULL;
    unsigned long width = columns ? strtoul(columns, &end, 10) : 0;
    if (end != columns && *end == '\0' && width >= LEAST_WIDTH && width < 100000)
        return width;
    size_t tty = tty_width();
    return tty > 0 ? tty : DEFAULT_WIDTH;
}

int new_table(struct loom_table **out, const struct invocation *call, struct loom_error *err)
{
    int rc = loom_table_create(out, err);
    if (rc)
        return rc;
    loom_table_limit(*out, terminal_width());
    loom_table_wide(*out, loom_params_find(call->params, "wide") &&
                              loom_params_flag(call->params, "wide"));
    return 0;
}

int add_columns(struct loom_table *table, const struct table_column *columns, size_t n,
                struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = loom_table_column(table, columns[i].title, columns[i].align, err);
        if (!rc)
            loom_table_priority(table, columns[i].priority);
    }
    return rc;
}

/* ---- cells ----------------------------------------------------------------------------------- */

int count_cell(struct loom_table *table, int64_t count, struct loom_error *err)
{
    char text[LOOM_HUMAN];
    return loom_table_cell(table, err, "%s", loom_human_count(count, text, sizeof text));
}

int number_cell(struct loom_table *table, double number, struct loom_error *err)
{
    char text[LOOM_HUMAN];
    return loom_table_cell(table, err, "%s", loom_human_number(number, text, sizeof text));
}

int seconds_cell(struct loom_table *table, double seconds, struct loom_error *err)
{
    char text[LOOM_HUMAN];
    return loom_table_cell(table, err, "%s", loom_human_seconds(seconds, text, sizeof text));
}

int share_cell(struct loom_table *table, double share, struct loom_error *err)
{
    char text[LOOM_HUMAN];
    return loom_table_cell(table, err, "%s", loom_human_share(share, text, sizeof text));
}

static bool ends_with(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

const char *column_text(const char *name, double value, char *buf, size_t size)
{
    if (ends_with(name, "_s"))
        return loom_human_seconds(value, buf, size);
    if (ends_with(name, "_kib"))
        return loom_human_bytes(1024 * value, buf, size);
    return loom_human_number(value, buf, size);
}

/* ---- features -------------------------------------------------------------------------------- */

/* Features without a unit that are shares of something, by the end of their key. */
static bool is_share(const char *key)
{
    static const char *const ends[] = {"_fraction", "utilization", ".offered",
                                       "_half",     "_larger",     "_equal"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(key, ends[i]))
            return true;
    return strstr(key, ".bins16.") || strstr(key, ".zero_");
}

const char *feature_text(const struct loom_feature_info *info, double value, char *buf, size_t size)
{
    if (strcmp(info->unit, "s") == 0)
        return loom_human_seconds(value, buf, size);
    if (strcmp(info->unit, "%") == 0)
        return loom_human_share(value / 100, buf, size);
    if (!*info->unit && is_share(info->key))
        return loom_human_share(value, buf, size);
    return loom_human_number(value, buf, size);
}

/* ---- stdout ---------------------------------------------------------------------------------- */

static int write_tables(struct loom_output *out, const struct loom_table *table, bool next,
                        struct loom_error *err)
{
    int rc = next ? loom_output_write(out, "\n", 1, err) : 0;
    return rc ? rc : loom_table_write(table, out, err);
}

/* Write a table to stdout, below another one or not, and destroy it. */
static int print(struct loom_table *table, bool next, struct loom_error *err)
{
    struct loom_output *out = NULL;
    loom_table_limit(table, terminal_width());
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = write_tables(out, table, next, err);
    loom_table_destroy(table);
    return end_output(out, rc, NULL, err);
}

int print_table(struct loom_table *table, struct loom_error *err)
{
    return print(table, false, err);
}

int print_next_table(struct loom_table *table, struct loom_error *err)
{
    return print(table, true, err);
}
