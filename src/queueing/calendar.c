/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Users by the time of their next submission. */
#include "queueing/calendar.h"

#include <stdlib.h>

static int grow(struct loom_calendar *calendar)
{
    size_t capacity = calendar->capacity > 0 ? 2 * calendar->capacity : 64;
    struct loom_visit *visits = realloc(calendar->visits, capacity * sizeof *visits);
    if (!visits)
        return -1;
    calendar->visits = visits;
    calendar->capacity = capacity;
    return 0;
}

int loom_calendar_push(struct loom_calendar *calendar, struct loom_visit visit)
{
    if (calendar->n == calendar->capacity && grow(calendar))
        return -1;
    struct loom_visit *visits = calendar->visits;
    size_t at = calendar->n++;
    for (; at > 0 && visits[(at - 1) / 2].time > visit.time; at = (at - 1) / 2)
        visits[at] = visits[(at - 1) / 2];
    visits[at] = visit;
    return 0;
}

struct loom_visit loom_calendar_pop(struct loom_calendar *calendar)
{
    struct loom_visit *visits = calendar->visits, first = visits[0];
    struct loom_visit moved = visits[--calendar->n];
    size_t at = 0, child;
    for (; (child = 2 * at + 1) < calendar->n; at = child) {
        if (child + 1 < calendar->n && visits[child + 1].time < visits[child].time)
            child++;
        if (!(visits[child].time < moved.time))
            break;
        visits[at] = visits[child];
    }
    visits[at] = moved;
    return first;
}

void loom_calendar_free(struct loom_calendar *calendar)
{
    free(calendar->visits);
    *calendar = (struct loom_calendar){0};
}
