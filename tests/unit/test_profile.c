/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The profile, as conservative backfilling uses it, against the free processors of each second,
 * written out: jobs book, move up, begin, end early or in time, take longer than booked and give
 * their bookings up at random, in profiles of a few steps and of many hundreds. Machines are narrow
 * and wide, jobs all different or many of them equal, and so packed that one job begins where
 * another ends.
 */
#include "sim/index/profile.h"
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
    struct loom_profile profile;
    struct loom_booking bookings[JOBS];
    struct plain_job jobs[JOBS];
    uint32_t n;
    int64_t now_s;
    int32_t free[HORIZON];
};

static int64_t between(struct world *w, int64_t least, int64_t most)
{
    return least + (int64_t)loom_stream_below(&w->stream, (uint64_t)(most - least + 1));
}

/* ---- the plain profile -------------------------------------------------------------------------
 */

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

static void book_earliest(struct world *w, uint32_t number, int64_t length_s)
{
    struct plain_job *job = &w->jobs[number];
    job->from_s = earliest(w, job->procs, length_s);
    job->to_s = job->from_s + length_s;
    assert_true(job->to_s < HORIZON - 2 * w->kind->longest_s);
    take(w, job->from_s, job->to_s, job->procs);
    int64_t from_s = loom_profile_earliest(&w->profile, job->procs, length_s);
    assert_int_equal(from_s, job->from_s);
    loom_profile_book(&w->profile, from_s, from_s + length_s, job->procs);
    w->bookings[number] = (struct loom_booking){from_s, length_s, job->procs, 0, 0};
}

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
    book_earliest(w, w->n, length_s);
    job->waits = true;
    w->n++;
}

static void move_up(struct world *w, uint32_t number)
{
    struct plain_job *job = &w->jobs[number];
    struct loom_booking *booking = &w->bookings[number];
    int64_t length_s = job->to_s - job->from_s, before_s = job->from_s;
    take(w, job->from_s, job->to_s, -job->procs);
    job->from_s = earliest(w, job->procs, length_s);
    job->to_s = job->from_s + length_s;
    take(w, job->from_s, job->to_s, job->procs);
    assert_int_equal(loom_profile_move_up(&w->profile, booking), job->from_s < before_s);
    if (booking->from_s != job->from_s)
        fail_msg("%s: job %u moves to %d, not %d", w->kind->name, number, (int)booking->from_s,
                 (int)job->from_s);
}

static void begin_due(struct world *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->jobs[i].waits && w->jobs[i].from_s <= w->now_s) {
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
            loom_profile_book(&w->profile, job->to_s, due_s, job->procs);
            take(w, job->to_s, due_s, job->procs);
            job->to_s = due_s;
            continue;
        }
        loom_profile_unbook(&w->profile, job->from_s, job->to_s, job->procs);
        take(w, w->now_s, job->to_s, -job->procs);
        job->runs = false;
    }
}

/* All bookings given up, and made anew in their order. */
static void make_anew(struct world *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->jobs[i].waits) {
            const struct plain_job *job = &w->jobs[i];
            loom_profile_unbook(&w->profile, job->from_s, job->to_s, job->procs);
            take(w, job->from_s, job->to_s, -job->procs);
        }
    for (uint32_t i = 0; i < w->n; i++)
        if (w->jobs[i].waits)
            book_earliest(w, i, w->jobs[i].to_s - w->jobs[i].from_s);
}

/* The steps say what is free in each second, and their blocks what is in them. */
static void check_steps(const struct world *w)
{
    const struct loom_profile *profile = &w->profile;
    int64_t t = w->now_s;
    for (size_t rank = 0; rank < profile->n; rank++) {
        const struct loom_block_summary *summary = &profile->order[rank];
        const struct loom_profile_block *block = &profile->blocks[summary->block];
        assert_in_range(block->n, 1, LOOM_BLOCK_STEPS);
        assert_int_equal(summary->begin_s, block->time_s[0]);
        for (uint32_t i = block->n; i < LOOM_BLOCK_STEPS; i++)
            assert_int_equal(block->time_s[i], LOOM_NEVER);
        for (uint32_t i = 0; i < block->n; i++) {
            int32_t free = block->free[i] + block->added;
            bool is_last = rank + 1 == profile->n && i + 1 == block->n;
            int64_t to_s = is_last             ? HORIZON
                           : i + 1 == block->n ? profile->order[rank + 1].begin_s
                                               : block->time_s[i + 1];
            assert_true(summary->least <= free && free <= summary->most);
            assert_true(block->time_s[i] == t && t < to_s);
            for (; t < to_s; t++)
                assert_int_equal(w->free[t], free);
            assert_true(is_last || w->free[t] != free);
        }
    }
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
    loom_profile_reset(&w->profile, kind->procs, 0);
    for (int round = 0; round < 400; round++) {
        w->now_s = next_time(w);
        loom_profile_advance(&w->profile, w->now_s);
        bool anew = extends && between(w, 0, 4) == 0;
        end_some(w, anew);
        if (anew)
            make_anew(w);
        for (uint32_t i = 0; i < w->n && !anew; i++)
            if (w->jobs[i].waits)
                move_up(w, i);
        for (int more = kind->deep - waiting(w); more > 0 && w->n < JOBS; more -= 3)
            book(w);
        begin_due(w);
        if (round % 10 == 0)
            check_steps(w);
    }
    assert_false(w->profile.failed);
    loom_profile_free(&w->profile);
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

/* ---- booked and given back at random ----------------------------------------------------------
 */

enum { SECONDS = 4000, PROCS = 100 };

static int64_t below(struct loom_stream *stream, int64_t n)
{
    return (int64_t)loom_stream_below(stream, (uint64_t)n);
}

/* What is free in each second. */
struct plain_profile {
    int64_t free[2 * SECONDS];
    int64_t now_s;
};

static bool plain_fits(const struct plain_profile *p, int64_t procs, int64_t from_s, int64_t to_s)
{
    for (int64_t t = from_s; t < to_s && t < 2 * SECONDS; t++)
        if (p->free[t] < procs)
            return false;
    return true;
}

static int64_t plain_earliest(const struct plain_profile *p, int64_t procs, int64_t length_s)
{
    int64_t t = p->now_s;
    while (!plain_fits(p, procs, t, t + length_s))
        t++;
    return t;
}

static void plain_book(struct plain_profile *p, int64_t from_s, int64_t to_s, int64_t procs)
{
    for (int64_t t = from_s; t < to_s; t++)
        p->free[t] -= procs;
}

struct booking {
    int64_t from_s, to_s, procs;
};

static void ask_profile(struct loom_profile *profile, const struct plain_profile *plain,
                        struct loom_stream *stream)
{
    int64_t t = plain->now_s + below(stream, SECONDS);
    assert_int_equal(loom_profile_at(profile, t), plain->free[t]);
}

static void test_profile(void **state)
{
    enum { MOST = 900 };
    static struct plain_profile plain;
    static struct booking bookings[MOST];
    struct loom_profile profile = {0};
    struct loom_stream stream;
    size_t n = 0;
    (void)state;
    loom_stream_init(&stream, 1, 0, "profile");
    for (size_t t = 0; t < 2 * SECONDS; t++)
        plain.free[t] = PROCS;
    loom_profile_reset(&profile, PROCS, 0);
    for (int step = 0; step < 9000; step++) {
        if (n < MOST && (n < MOST / 2 || below(&stream, 2))) {
            struct booking b = {.procs = 1 + below(&stream, below(&stream, 8) ? 12 : PROCS)};
            int64_t length_s = 1 + below(&stream, below(&stream, 3) ? 20 : 400);
            b.from_s = loom_profile_earliest(&profile, b.procs, length_s);
            assert_int_equal(b.from_s, plain_earliest(&plain, b.procs, length_s));
            if (below(&stream, 100) == 0) /* more than there are */
                b.from_s = plain.now_s + below(&stream, SECONDS);
            b.to_s = b.from_s + length_s;
            if (b.to_s >= 2 * SECONDS)
                continue;
            plain_book(&plain, b.from_s, b.to_s, b.procs);
            loom_profile_book(&profile, b.from_s, b.to_s, b.procs);
            bookings[n++] = b;
        } else {
            size_t at = (size_t)below(&stream, (int64_t)n);
            struct booking b = bookings[at];
            bookings[at] = bookings[--n];
            int64_t from_s = b.from_s > plain.now_s ? b.from_s : plain.now_s;
            if (from_s < b.to_s) {
                plain_book(&plain, from_s, b.to_s, -b.procs);
                loom_profile_unbook(&profile, from_s, b.to_s, b.procs);
            }
        }
        if (plain.now_s < SECONDS / 2 && below(&stream, 5) == 0)
            loom_profile_advance(&profile, ++plain.now_s);
        if (below(&stream, 20) == 0)
            ask_profile(&profile, &plain, &stream);
    }
    loom_profile_free(&profile);
}

/* What is given back over many blocks makes room in those that lie between its ends, too. */
static void test_profile_levels(void **state)
{
    enum { PERIOD_S = 10, END_S = 8000, NARROW_TO_S = END_S / 2 };
    struct loom_profile profile = {0};
    (void)state;
    loom_profile_reset(&profile, PROCS, 0);
    for (int64_t t = PERIOD_S; t < END_S; t += 2 * PERIOD_S)
        loom_profile_book(&profile, t, t + PERIOD_S, 40);
    loom_profile_book(&profile, 0, NARROW_TO_S, 30);
    loom_profile_book(&profile, 0, END_S, 20);
    assert_int_equal(loom_profile_earliest(&profile, 90, PERIOD_S), END_S);
    assert_int_equal(loom_profile_earliest(&profile, 50, PERIOD_S), 0);
    assert_int_equal(loom_profile_earliest(&profile, 60, PERIOD_S), NARROW_TO_S);
    loom_profile_unbook(&profile, 0, END_S, 20);
    assert_int_equal(loom_profile_earliest(&profile, 90, PERIOD_S), NARROW_TO_S);
    assert_int_equal(loom_profile_earliest(&profile, 90, PERIOD_S + 1), END_S);
    loom_profile_free(&profile);
}

/* Ten processors. Wide for a second at a time, with fewer to spare for a while; five of them are
 * free for longer only once, at ROOM_S. */
enum { LOW_S = 20000, LOW_TO_S = 21500, ROOM_S = 28000, ROOM_TO_S = 28050, SPIKES_TO_S = 60000 };

static void book_spikes(struct loom_profile *profile)
{
    for (int64_t t = 100; t < SPIKES_TO_S;) {
        bool low = t >= LOW_S && t < LOW_TO_S, room = t >= ROOM_S && t < ROOM_TO_S;
        if (room) {
            loom_profile_book(profile, t, ROOM_TO_S, 5);
            t = ROOM_TO_S;
            continue;
        }
        loom_profile_book(profile, t, t + 1, low ? 7 : 4);
        loom_profile_book(profile, t + 1, t + 2, low ? 9 : 8);
        loom_profile_book(profile, t + 2, t + 3, 9);
        t += 3;
    }
    loom_profile_book(profile, 1, 100, 9);
    loom_profile_book(profile, SPIKES_TO_S, SPIKES_TO_S + 5000, 9);
}

/* What a search has learned while fewer processors were free must not be believed once they are
 * given back: in a profile of a thousand blocks. */
static void test_profile_given_back(void **state)
{
    (void)state;
    struct loom_profile profile = {0};
    loom_profile_reset(&profile, 10, 0);
    book_spikes(&profile);
    assert_true(profile.n > 1000);
    for (int64_t i = 0; i < 40; i++)
        loom_profile_earliest(&profile, 2 + i % 2, 1000);
    assert_int_equal(loom_profile_earliest(&profile, 5, 30), ROOM_S);
    loom_profile_book(&profile, 50, SPIKES_TO_S + 4000, 1);
    for (int64_t i = 0; i < 40; i++)
        loom_profile_earliest(&profile, 5, 1000 - 20 * i);
    loom_profile_unbook(&profile, 50, SPIKES_TO_S + 4000, 1);
    assert_int_equal(loom_profile_earliest(&profile, 5, 30), ROOM_S);
    loom_profile_free(&profile);
}

/* On the largest machine, what is booked over whole blocks and given back in part of one does not
 * add up to more processors than there are. */
static void test_largest_machine(void **state)
{
    enum { PERIOD_S = 10, END_S = 8000, BACK_S = 505 };
    static const int64_t most = INT32_MAX, wide = 1200000000;
    struct loom_profile profile = {0};
    (void)state;
    loom_profile_reset(&profile, most, 0);
    for (int64_t t = PERIOD_S; t < END_S; t += 2 * PERIOD_S)
        loom_profile_book(&profile, t, t + PERIOD_S, 1);
    for (int i = 0; i < 3; i++) {
        loom_profile_book(&profile, 0, END_S, wide);
        assert_int_equal(loom_profile_earliest(&profile, wide, PERIOD_S), END_S);
        loom_profile_unbook(&profile, BACK_S, END_S, wide);
        assert_int_equal(loom_profile_earliest(&profile, wide, PERIOD_S), BACK_S);
        loom_profile_unbook(&profile, 0, BACK_S, wide);
        assert_int_equal(loom_profile_at(&profile, BACK_S), most - (BACK_S / PERIOD_S) % 2);
    }
    loom_profile_free(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_to_estimates),
        cmocka_unit_test(outlives_estimates),
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_profile_levels),
        cmocka_unit_test(test_profile_given_back),
        cmocka_unit_test(test_largest_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
