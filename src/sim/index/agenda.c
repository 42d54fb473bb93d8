/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs by time: a heap that knows where each job stands, so that a time can change. */
#include "sim/index/agenda.h"

#include "base/vec.h"

static bool precedes(const struct loom_agenda *agenda, uint32_t a, uint32_t b)
{
    int64_t first_s = agenda->time_s[a], second_s = agenda->time_s[b];
    return first_s < second_s || (first_s == second_s && a < b);
}

static void put(struct loom_agenda *agenda, size_t at, uint32_t job)
{
    agenda->heap[at] = job;
    agenda->place[job] = (uint32_t)at;
}

static void move_up(struct loom_agenda *agenda, size_t at, uint32_t job)
{
    while (at > 0 && precedes(agenda, job, agenda->heap[(at - 1) / 4])) {
        put(agenda, at, agenda->heap[(at - 1) / 4]);
        at = (at - 1) / 4;
    }
    put(agenda, at, job);
}

static void move_down(struct loom_agenda *agenda, size_t at, uint32_t job)
{
    while (4 * at + 1 < agenda->n) {
        size_t best = 4 * at + 1, last = best + 4 < agenda->n ? best + 4 : agenda->n;
        for (size_t child = best + 1; child < last; child++)
            if (precedes(agenda, agenda->heap[child], agenda->heap[best]))
                best = child;
        if (!precedes(agenda, agenda->heap[best], job))
            break;
        put(agenda, at, agenda->heap[best]);
        at = best;
    }
    put(agenda, at, job);
}

static int make_room(struct loom_agenda *agenda, uint32_t job)
{
    while (agenda->time_capacity <= job)
        if (loom_grow(&agenda->time_s, agenda->time_capacity, &agenda->time_capacity))
            return -1;
    while (agenda->place_capacity <= job)
        if (loom_grow(&agenda->place, agenda->place_capacity, &agenda->place_capacity))
            return -1;
    for (; agenda->known <= job; agenda->known++)
        agenda->place[agenda->known] = LOOM_NO_JOB;
    return loom_grow(&agenda->heap, agenda->n, &agenda->heap_capacity);
}

int loom_agenda_set(struct loom_agenda *agenda, uint32_t job, int64_t time_s)
{
    if (make_room(agenda, job))
        return -1;
    size_t at = agenda->place[job] == LOOM_NO_JOB ? agenda->n++ : agenda->place[job];
    agenda->time_s[job] = time_s;
    put(agenda, at, job);
    move_up(agenda, at, job);
    move_down(agenda, agenda->place[job], job);
    return 0;
}

void loom_agenda_reset(struct loom_agenda *agenda)
{
    agenda->n = agenda->known = 0;
}

void loom_agenda_free(struct loom_agenda *agenda)
{
    free(agenda->time_s);
    free(agenda->place);
    free(agenda->heap);
    *agenda = (struct loom_agenda){0};
}

uint32_t loom_agenda_first(const struct loom_agenda *agenda)
{
    return agenda->n ? agenda->heap[0] : LOOM_NO_JOB;
}

void loom_agenda_pop(struct loom_agenda *agenda)
{
    uint32_t last = agenda->heap[--agenda->n];
    agenda->place[agenda->heap[0]] = LOOM_NO_JOB;
    if (agenda->n > 0)
        move_down(agenda, 0, last);
}
