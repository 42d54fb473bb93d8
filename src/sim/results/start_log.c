/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An observer that remembers why each job was started: one byte a job. */
#include "sim/results/start_log.h"
#include "base/vec.h"
#include "sim/engine.h"

struct loom_start_log {
    uint8_t *why; /* by number */
    size_t n, capacity;
};

int loom_start_log_create(struct loom_start_log **out, struct loom_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? 0 : loom_fail_memory(err);
}

void loom_start_log_destroy(struct loom_start_log *log)
{
    if (!log)
        return;
    free(log->why);
    free(log);
}

/* Jobs start in another order than they are numbered. */
static int see(void *self, const struct loom_sim *sim, const struct loom_sim_event *event,
               struct loom_error *err)
{
    struct loom_start_log *log = self;
    (void)sim;
    for (; log->n <= event->job; log->n++) {
        if (loom_grow(&log->why, log->n, &log->capacity))
            return loom_fail_memory(err);
        log->why[log->n] = LOOM_WHY_OTHER;
    }
    log->why[event->job] = (uint8_t)event->why;
    return 0;
}

struct loom_observer loom_start_log_observer(struct loom_start_log *log)
{
    return (struct loom_observer){.self = log, .events = LOOM_EVENT_START, .on_event = see};
}

enum loom_why loom_start_log_why(const struct loom_start_log *log, uint32_t job)
{
    return job < log->n ? (enum loom_why)log->why[job] : LOOM_WHY_OTHER;
}
