/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that commands write: checks before the work, and what is said of them afterwards. */
#include "command.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files that appear ----------------------------------------------------------------------- */

/* Is this the name of an image in that directory? */
static bool is_figure(const char *name, const char *directory, const char *format)
{
    size_t length = strlen(name), suffix = strlen(format);
    return strncmp(name, directory, strlen(directory)) == 0 && length > suffix &&
           name[length - suffix - 1] == '.' && strcmp(name + length - suffix, format) == 0;
}

/* The page and the figures are named here for all commands that have --html and --figures. */
int keep_outputs(const struct invocation *call, struct loom_error *err)
{
    const struct loom_params *params = call->params;
    const char *html = loom_params_find(params, "html") ? loom_params_text(params, "html") : NULL;
    const char *figures =
        loom_params_find(params, "figures") ? loom_params_text(params, "figures") : NULL;
    const char *name;
    bool page = false;
    size_t n = 0;
    for (size_t i = 0; (name = loom_output_set_name(call->outputs, i)); i++) {
        page = page || (html && strcmp(name, html) == 0);
        n += figures && is_figure(name, figures, loom_params_text(call->params, "format"));
    }
    int rc = loom_output_set_commit(call->outputs, err);
    if (!rc && page)
        say(call, "wrote %s", html);
    if (!rc && n > 0)
        say(call, "wrote %zu %s to %s", n, n == 1 ? "figure" : "figures", figures);
    return rc;
}

int end_output(struct loom_output *out, int rc, const struct invocation *call,
               struct loom_error *err)
{
    if (!rc)
        rc = loom_output_set_add(call ? call->outputs : NULL, &out, err);
    loom_output_destroy(out);
    return rc;
}

/* ---- files that must differ ------------------------------------------------------------------ */

static bool same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

int refuse_stdin_twice(const char *one, const char *other, struct loom_error *err)
{
    if (!one || !other || strcmp(one, "-") != 0 || strcmp(other, "-") != 0)
        return 0;
    return loom_fail(err, LOOM_EUSAGE, "only one input can come from stdin");
}

int refuse_same_file(const char *in, const char *out, struct loom_error *err)
{
    if (strcmp(in, "-") == 0 || strcmp(out, "-") == 0 || !same_file(in, out))
        return 0;
    return loom_fail(err, LOOM_EUSAGE, "'%s' is the input itself; write to another file", out);
}

int refuse_same_output(const struct invocation *call, const char *option, const char *other,
                       struct loom_error *err)
{
    bool both = loom_params_find(call->params, option) && loom_params_find(call->params, other);
    const char *one = both ? loom_params_text(call->params, option) : NULL;
    const char *two = both ? loom_params_text(call->params, other) : NULL;
    if (!one || !two || (strcmp(one, two) != 0 && !same_file(one, two)))
        return 0;
    return loom_fail(err, LOOM_EUSAGE, "--%s and --%s name the same file '%s'", option, other, one);
}

/* ---- reports --------------------------------------------------------------------------------- */

bool wants_report(const struct invocation *call)
{
    return loom_params_given(call->params, "html") || loom_params_given(call->params, "figures");
}

int check_report_outputs(const struct invocation *call, struct loom_error *err)
{
    const char *html = loom_params_text(call->params, "html");
    const char *figures = loom_params_text(call->params, "figures");
    int rc = 0;
    if (loom_params_given(call->params, "format") && !figures)
        return loom_fail(err, LOOM_EUSAGE, "--format is for the files of --figures DIR");
    for (size_t i = 0; html && i < call->n_operands && !rc; i++)
        rc = refuse_same_file(call->operands[i], html, err);
    if (!rc)
        rc = refuse_same_output(call, "html", "output", err);
    if (!rc && html && strcmp(html, "-") == 0 && loom_params_flag(call->params, "json"))
        rc = loom_fail(err, LOOM_EUSAGE,
                       "--json and the page cannot both go to stdout; name a file with --html");
    if (!rc && html)
        rc = loom_output_check(html, err);
    if (!rc && figures)
        rc = loom_output_check_directory(figures, err);
    return rc;
}

/* Return whether an earlier figure has the reason of the figure at index. */
static bool is_known_reason(const struct loom_report *report, size_t index, const char *reason)
{
    struct loom_figure figure;
    for (size_t i = 0; i < index && loom_report_figure(report, i, &figure); i++)
        if (!figure.failure && figure.reason && strcmp(figure.reason, reason) == 0)
            return true;
    return false;
}

/* Say which figures and tables are left out for a reason, from the first at index. */
static void say_reason(const struct invocation *call, const struct loom_report *report,
                       size_t index, const char *reason)
{
    char names[600] = "";
    size_t n = 0, used = 0;
    struct loom_figure figure;
    for (size_t i = index; loom_report_figure(report, i, &figure); i++)
        if (!figure.failure && figure.reason && strcmp(figure.reason, reason) == 0) {
            if (used < sizeof names)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         n > 0 ? ", " : "", figure.name);
            n++;
        }
    loom_report_figure(report, index, &figure);
    if (n == 1)
        say(call, "left out the %s %s: %s", figure.table ? "table" : "figure", names, reason);
    else
        say(call, "left out, as %s: %s", reason, names);
}

int end_report(struct loom_report *report, int rc, const struct invocation *call,
               struct loom_error *err)
{
    struct loom_figure figure;
    if (!rc && loom_params_given(call->params, "figures"))
        rc = loom_report_figures(report, loom_params_text(call->params, "figures"),
                                 loom_params_text(call->params, "format"), err);
    for (size_t i = 0; !rc && loom_report_figure(report, i, &figure); i++)
        if (figure.failure)
            warn("warning: figure %s left out: %s", figure.name, figure.failure);
        else if (figure.reason && !is_known_reason(report, i, figure.reason))
            say_reason(call, report, i, figure.reason);
    loom_report_destroy(report);
    return rc;
}
