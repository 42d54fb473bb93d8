/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timetable of conservative backfilling against the free processors of each second, written
 * out: jobs book, move up, begin, end early or in time, take longer than booked and give their
 * bookings up at random, in tables of a few steps and of many hundreds. Machines are narrow and
 * wide, jobs all different or many of them equal, and so packed that stretches of no length arise
 * (one job begins where another ends).
 */
#include "sim/index/timetable.h"
#include "support.h"

#include <stdlib.h>

enum { HORIZON = 12000, JOBS = 3000 };

struct kind {
    const char *name;
    int32_t procs, widest;
    int64_t shortest_s, longest_s;
    int deep;  /* jobs waiting, about */
    int equal; /* of ten jobs, how many are equal to the one before */
    int32_t narrowest;
};

static const struct kind kinds[] = {
    {"one processor", 1, 1, 1, 40, 60, 0, 1},
    {"shallow", 16, 16, 1, 100, 6, 3, 1},
    {"deep", 16, 12, 1, 60, 150, 0, 1},
    {"deep, equal", 16, 8, 10, 30, 200, 9, 1},
    {"deep, narrow", 64, 3, 1, 300, 300, 4, 1},
    {"deep, wide", 1000, 700, 5, 50, 100, 2, 1},
    {"deep, of one length", 32, 32, 20, 20, 150, 0, 1},
    {"deep, of every width", 333, 333, 1, 60, 150, 0, 1},
    /* With one running, what is free lies between widths of the only band. */
    {"deep, of one band", 147, 80, 1, 60, 100, 0, 72},
};

struct plain_job {
    int64_t from_s, to_s;
    int32_t procs;
    bool waits, runs;
};

struct world {
    const struct kind *kind;
    struct loom_stream stream;
    struct loom_timetable table;
    struct plain_job jobs[JOBS];
    uint32_t n;
    int64_t now_s;
    int32_t free[HORIZON];
};

static int64_t between(struct world *w, int64_t least, int64_t most)
{
    return least + (int64_t)loom_stream_below(&w->stream, (uint64_t)(most - least + 1));
}

/* ---- the plain table ------------------------------------------------------------------------- */

static void take(struct world *w, int64_t from_s, int64_t to_s, int32_t procs)
{
    for (int64_t t = from_s; t < to_s; t++)
        w->free[t] -= procs;
}

static int64_t earliest(const struct world *w, int32_t procs, int64_t length_s)
{
    int64_t start_s = w->now_s;
    for (int64_t t = start_s; t < start_s + length_s; t++)
        if (w->free[t] < procs)
            start_s = t + 1;
    return start_s;
}

/* ---- what can happen ------------------------------------------------------------------------- */

static void book(struct world *w)
{
    const struct kind *kind = w->kind;
    struct plain_job *job = &w->jobs[w->n];
    int64_t length_s = between(w, kind->shortest_s, kind->longest_s);
    job->procs = (int32_t)between(w, kind->narrowest, between(w, kind->narrowest, kind->widest));
    if (w->n > 0 && between(w, 0, 9) < kind->equal) {
        job->procs = job[-1].procs;
        length_s = job[-1].to_s - job[-1].from_s;
    }
    job->from_s = earliest(w, job->procs, length_s);
    job->to_s = job->from_s + length_s;
    job->waits = true;
    assert_true(job->to_s < HORIZON - 2 * kind->longest_s);
    take(w, job->from_s, job->to_s, job->procs);
    assert_int_equal(loom_timetable_book(&w->table, w->n, job->procs, length_s), 0);
    assert_int_equal(loom_timetable_time(&w->table, w->n), job->from_s);
    w->n++;
}

static void move_up(struct world *w, uint32_t number)
{
    struct plain_job *job = &w->jobs[number];
    int64_t length_s = job->to_s - job->from_s, before_s = job->from_s;
    bool stuck = loom_timetable_is_stuck(&w->table, number);
    take(w, job->from_s, job->to_s, -job->procs);
    job->from_s = earliest(w, job->procs, length_s);
    job->to_s = job->from_s + length_s;
    take(w, job->from_s, job->to_s, job->procs);
    if (stuck)
        assert_int_equal(job->from_s, before_s);
    else
        assert_int_equal(loom_timetable_move_up(&w->table, number), 0);
    if (loom_timetable_time(&w->table, number) != job->from_s)
        fail_msg("%s: job %u moves to %d, not %d", w->kind->name, number,
                 (int)loom_timetable_time(&w->table, number), (int)job->from_s);
}

static void begin_due(struct world *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->jobs[i].waits && w->jobs[i].from_s <= w->now_s) {
            loom_timetable_begin(&w->table, i);
            w->jobs[i].waits = false;
            w->jobs[i].runs = true;
        }
}

/* Ends what is due, and now and then something early, or extends it instead. */
static void end_some(struct world *w, bool extends)
{
    for (uint32_t i = 0; i < w->n; i++) {
        struct plain_job *job = &w->jobs[i];
        bool due = job->runs && job->to_s <= w->now_s;
        if (!job->runs || (!due && between(w, 0, 30) > 0))
            continue;
        if (due && extends) {
            int64_t due_s = w->now_s + between(w, 1, w->kind->longest_s);
            assert_int_equal(loom_timetable_extend(&w->table, i, due_s), 0);
            take(w, job->to_s, due_s, job->procs);
            job->to_s = due_s;
            continue;
        }
        loom_timetable_end(&w->table, i, job->to_s);
        take(w, w->now_s, job->to_s, -job->procs);
        job->runs = false;
    }
}

/* All bookings given up, and made anew in their order. */
static void make_anew(struct world *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->jobs[i].waits) {
            loom_timetable_unbook(&w->table, i);
            take(w, w->jobs[i].from_s, w->jobs[i].to_s, -w->jobs[i].procs);
        }
    for (uint32_t i = 0; i < w->n; i++) {
        struct plain_job *job = &w->jobs[i];
        int64_t length_s = job->to_s - job->from_s;
        if (!job->waits)
            continue;
        job->from_s = earliest(w, job->procs, length_s);
        job->to_s = job->from_s + length_s;
        take(w, job->from_s, job->to_s, job->procs);
        assert_int_equal(loom_timetable_book(&w->table, i, job->procs, length_s), 0);
        assert_int_equal(loom_timetable_time(&w->table, i), job->from_s);
    }
}

/* The steps say what is free in each second, and their blocks what is in them. */
static void check_steps(const struct world *w)
{
    const struct loom_steps *steps = &w->table.steps;
    size_t n = 0;
    for (uint32_t at = steps->first; at != LOOM_STEPS_END; at = steps->at[at].next, n++) {
        const struct loom_step *step = &steps->at[at];
        const struct loom_step_block *block = &steps->blocks[step->block];
        int64_t to_s = steps->at[step->next].time_s;
        assert_true(step->time_s < to_s);
        assert_true(block->least <= step->free && step->free <= block->most);
        for (int64_t t = step->time_s; t < to_s && t < HORIZON; t++)
            assert_int_equal(w->free[t], step->free);
    }
    assert_int_equal(n, steps->n);
    for (size_t i = 0; i < steps->n_order; i++)
        n -= steps->blocks[steps->order[i]].n;
    assert_int_equal(n, 0);
}

static int waiting(const struct world *w)
{
    int n = 0;
    for (uint32_t i = 0; i < w->n; i++)
        n += w->jobs[i].waits;
    return n;
}

/* A little later, but not after the next job is to begin. */
static int64_t next_time(struct world *w)
{
    int64_t next_s = w->now_s + (between(w, 0, 2) ? 1 : between(w, 1, 20));
    for (uint32_t i = 0; i < w->n; i++)
        if (w->jobs[i].waits && w->jobs[i].from_s < next_s)
            next_s = w->jobs[i].from_s;
    return next_s;
}

static void check_kind(struct world *w, const struct kind *kind, bool extends)
{
    *w = (struct world){.kind = kind};
    loom_stream_init(&w->stream, 1, extends, kind->name);
    for (int64_t t = 0; t < HORIZON; t++)
        w->free[t] = kind->procs;
    assert_int_equal(loom_timetable_reset(&w->table, kind->procs, 0), 0);
    for (int round = 0; round < 400; round++) {
        w->now_s = next_time(w);
        loom_timetable_advance(&w->table, w->now_s);
        bool anew = extends && between(w, 0, 4) == 0;
        end_some(w, anew);
        if (anew)
            make_anew(w);
        uint32_t waits = loom_timetable_first(&w->table);
        for (uint32_t i = 0; i < w->n && !anew; i++)
            if (w->jobs[i].waits) {
                assert_int_equal(waits, i);
                move_up(w, i);
                waits = loom_timetable_next(&w->table, i);
            }
        for (int more = kind->deep - waiting(w); more > 0 && w->n < JOBS; more -= 3)
            book(w);
        begin_due(w);
        if (round % 10 == 0)
            check_steps(w);
    }
    loom_timetable_free(&w->table);
}

static void check_all(bool extends)
{
    struct world *w = malloc(sizeof *w);
    assert_non_null(w);
    for (size_t i = 0; i < COUNT(kinds); i++)
        check_kind(w, &kinds[i], extends);
    free(w);
}

static void keeps_to_estimates(void **state)
{
    (void)state;
    check_all(false);
}

static void outlives_estimates(void **state)
{
    (void)state;
    check_all(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_to_estimates),
        cmocka_unit_test(outlives_estimates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
