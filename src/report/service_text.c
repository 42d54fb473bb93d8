/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of the work of a log, in a sentence. */
#include "report/tool.h"

#include "base/human.h"
#include "features/observed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 10, NAME_SIZE = 200 };

static const char *const kinds[LOOM_OBSERVED_KINDS] = {"user", "group",   "queue", "partition",
                                                       "size", "runtime", "hour"};

static size_t find_largest(const struct loom_observed_classes *classes)
{
    size_t largest = 0;
    for (size_t i = 1; i < classes->count; i++)
        if (classes->classes[i].work_share > classes->classes[largest].work_share)
            largest = i;
    return largest;
}

/* Append the share of the first ten; users, groups, queues and partitions are sorted by work. */
static void add_first(char *buf, size_t size, const struct loom_observed_classes *classes, bool cut)
{
    char share[LOOM_HUMAN], count[LOOM_HUMAN];
    double sum = 0;
    if (classes->by >= LOOM_BY_SIZE || classes->count <= FIRST)
        return;
    for (size_t i = 0; i < FIRST; i++)
        sum += classes->classes[i].work_share;
    snprintf(buf, size, "; the first %d of %s %ss%s: %s", FIRST,
             loom_human_count((int64_t)classes->count, count, sizeof count), kinds[classes->by],
             cut ? " while the log is complete" : "", loom_human_share(sum, share, sizeof share));
}

static void write_shares(char *buf, size_t size, const struct loom_observed_classes *classes,
                         const struct loom_trace *trace, bool cut)
{
    const struct loom_observed_class *class = &classes->classes[find_largest(classes)];
    char name[NAME_SIZE], work[LOOM_HUMAN], jobs[LOOM_HUMAN];
    int n = snprintf(buf, size, "%s %s: %s of the work with %s of the jobs", kinds[classes->by],
                     loom_observed_class_text(classes, (size_t)(class - classes->classes), trace,
                                              name, sizeof name),
                     loom_human_share(class->work_share, work, sizeof work),
                     loom_human_share(class->jobs_share, jobs, sizeof jobs));
    if (n > 0 && (size_t)n < size)
        add_first(buf + n, size - (size_t)n, classes, cut);
}

int loom_service_shares(char *buf, size_t size, const struct loom_trace *trace,
                        const struct loom_zone *zone, size_t kind, struct loom_error *err)
{
    struct loom_observed_classes *classes = NULL;
    struct loom_trace_window window;
    buf[0] = '\0';
    if (kind == LOOM_BY_HOUR && !zone)
        return 0;
    int rc = loom_trace_window_complete(&window, trace, err);
    if (!rc)
        rc =
            loom_observed_classes(&classes, trace, &window, zone, (enum loom_observed_by)kind, err);
    if (rc)
        return rc;
    if (classes->count > 1 && isfinite(classes->classes[0].work_share))
        write_shares(buf, size, classes, trace, loom_trace_window_matters(&window, trace));
    free(classes);
    return 0;
}
