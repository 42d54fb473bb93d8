/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs on the machine by the end of their estimate. */
#include "sim/index/running.h"

#include "base/vec.h"

#include <workloom/sim.h>

int loom_running_reserve(struct loom_running *running, size_t n)
{
    while (n > running->capacity)
        if (loom_grow(&running->jobs, running->capacity, &running->capacity))
            return -1;
    return 0;
}

void loom_running_free(struct loom_running *running)
{
    free(running->jobs);
    *running = (struct loom_running){0};
}

/* How many jobs end after a time. Halves without branches. */
static size_t ending_after(const struct loom_running *running, int64_t time_s)
{
    size_t base = 0, n = running->n;
    while (n > 0) {
        size_t half = (n + 1) / 2;
        base += half & (0u - (size_t)(running->jobs[base + half - 1].end_s > time_s));
        n -= half;
    }
    return base;
}

void loom_running_add(struct loom_running *running, int64_t end_s, int64_t procs)
{
    size_t at = ending_after(running, end_s);
    struct loom_running_job *place = &running->jobs[at];
    memmove(place + 1, place, (running->n++ - at) * sizeof *place);
    *place = (struct loom_running_job){end_s, procs};
}

/* Of jobs that end at the same time any of the same width will do. */
void loom_running_remove(struct loom_running *running, int64_t end_s, int64_t procs)
{
    size_t at = ending_after(running, end_s);
    while (running->jobs[at].procs != procs)
        at++;
    struct loom_running_job *place = &running->jobs[at];
    memmove(place, place + 1, (--running->n - at) * sizeof *place);
}

static int64_t procs_of(const struct loom_running_job *jobs, size_t n)
{
    int64_t procs = 0;
    for (size_t i = 0; i < n; i++)
        procs += jobs[i].procs;
    return procs;
}

int64_t loom_running_frees(const struct loom_running *running, int64_t procs)
{
    enum { MANY = 16 };
    size_t at = running->n;
    for (; at > MANY; at -= MANY) {
        int64_t freed = procs_of(&running->jobs[at - MANY], MANY);
        if (freed >= procs)
            break;
        procs -= freed;
    }
    while (at-- > 0) {
        procs -= running->jobs[at].procs;
        if (procs <= 0)
            return running->jobs[at].end_s;
    }
    return LOOM_NEVER;
}

int64_t loom_running_freed(const struct loom_running *running, int64_t time_s)
{
    size_t from = ending_after(running, time_s);
    return procs_of(&running->jobs[from], running->n - from);
}
