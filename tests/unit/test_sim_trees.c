/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queue, the running jobs, their ends and the heap against plain arrays: random changes and
 * questions, with enough entries for many blocks, which small workloads never build.
 */
#include "sim/index/ends.h"
#include "sim/index/queue.h"
#include "sim/index/running.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 6000 };

static int64_t below(struct loom_stream *stream, int64_t n)
{
    return (int64_t)loom_stream_below(stream, (uint64_t)n);
}

/* ---- the queue ------------------------------------------------------------------------------- */

/* All jobs, and which of them are in the queue, in the order of their numbers. */
struct line {
    struct loom_sim_job jobs[JOBS];
    bool inside[JOBS];
    uint32_t n;
    const struct loom_order *order;
    int64_t now_s;
};

static double key_of(const struct line *line, uint32_t job)
{
    return line->order->key ? line->order->key(&line->jobs[job], job, line->now_s) : 0;
}

static bool precedes(const struct line *line, uint32_t a, uint32_t b)
{
    double first = key_of(line, a), second = key_of(line, b);
    return first < second || (first == second && a < b);
}

/* The first job inside behind `after` (all, if that is LOOM_NO_JOB) that fits. */
static uint32_t plain_next(const struct line *line, uint32_t after, const struct loom_gap *gap)
{
    uint32_t best = LOOM_NO_JOB;
    for (uint32_t job = 0; job < line->n; job++)
        if (line->inside[job] && (after == LOOM_NO_JOB || precedes(line, after, job)) &&
            (!gap || loom_gap_fits(gap, &line->jobs[job])) &&
            (best == LOOM_NO_JOB || precedes(line, job, best)))
            best = job;
    return best;
}

/* Jobs such as stay in a long queue: narrow and long, or short and wide, and a few of no kind. */
static void draw_job(struct line *line, struct loom_stream *stream, uint32_t job)
{
    bool wide = below(stream, 2), odd = below(stream, 50) == 0;
    line->jobs[job] = (struct loom_sim_job){
        .submit_s = job,
        .procs = (int32_t)(odd    ? 1 + below(stream, 100000)
                           : wide ? 17 + below(stream, 240)
                                  : 1 + below(stream, 40)),
        .estimate_s = odd    ? 1 + below(stream, (int64_t)1 << 40)
                      : wide ? 1 + below(stream, 100)
                             : 80 + below(stream, 4000),
    };
}

static struct loom_gap any_gap(struct loom_stream *stream)
{
    return (struct loom_gap){
        .procs = below(stream, 200),
        .length_s = below(stream, 4) ? below(stream, 150) : below(stream, (int64_t)1 << 40),
        .spare = below(stream, 2) ? 0 : below(stream, 30),
    };
}

static void ask(struct loom_queue *queue, const struct line *line, struct loom_stream *stream)
{
    struct loom_gap gap = any_gap(stream);
    uint32_t after = (uint32_t)below(stream, line->n);
    struct loom_cursor cursor = {0}, walk;
    if (line->inside[after])
        cursor = loom_queue_at(queue, line->jobs, after);
    else
        after = LOOM_NO_JOB;
    walk = cursor;
    uint32_t got = loom_queue_next_fit(queue, line->jobs, &cursor, &gap);
    uint32_t wanted = plain_next(line, after, &gap);
    if (got != wanted)
        fail_msg("of %zu jobs, %u is said to fit, not %u", loom_queue_count(queue), got, wanted);
    assert_int_equal(loom_queue_next(queue, &walk), plain_next(line, after, NULL));
    gap.spare = gap.procs;
    assert_int_equal(loom_queue_has_width(queue, gap.procs),
                     plain_next(line, LOOM_NO_JOB, &gap) != LOOM_NO_JOB);
    assert_int_equal(loom_queue_first(queue), plain_next(line, LOOM_NO_JOB, NULL));
}

/* The queue grows, stays long, and runs dry. */
static void check_queue(const char *order, uint32_t jobs, const char *purpose)
{
    struct line *line = calloc(1, sizeof *line);
    struct loom_queue queue = {0};
    struct loom_stream stream;
    assert_non_null(line);
    line->order = loom_order_find(order);
    loom_stream_init(&stream, 1, 0, purpose);
    loom_queue_reset(&queue, line->order);
    size_t inside = 0;
    while (line->n < jobs || inside > 0) {
        bool grow = line->n < jobs && (below(&stream, 10) < 8 || inside == 0);
        uint32_t job = grow ? line->n++ : (uint32_t)below(&stream, line->n);
        if (grow) {
            draw_job(line, &stream, job);
            assert_int_equal(loom_queue_add(&queue, line->jobs, job, line->now_s), 0);
            line->inside[job] = true;
            inside++;
        } else if (line->inside[job] ||
                   (job = plain_next(line, LOOM_NO_JOB, NULL)) != LOOM_NO_JOB) {
            loom_queue_remove(&queue, line->jobs, job);
            line->inside[job] = false;
            inside--;
        }
        assert_int_equal(loom_queue_count(&queue), inside);
        if (line->order->info.changes && below(&stream, 50) == 0) {
            line->now_s = line->n + below(&stream, 1000);
            assert_int_equal(loom_queue_refresh(&queue, line->jobs, line->now_s), 0);
            for (int i = 0; i < 10; i++) /* while jobs stand in leaves they did not stand in */
                ask(&queue, line, &stream);
        }
        if (below(&stream, 8) == 0)
            ask(&queue, line, &stream);
    }
    loom_queue_free(&queue);
    free(line);
}

static void test_queue(void **state)
{
    (void)state;
    check_queue("fcfs", JOBS, "submission");
    check_queue("sjf", 3000, "shortest");
    check_queue("lcfs", 1000, "newest");
    check_queue("wfp3", JOBS, "waited and wide");
    check_queue("expansion", 1500, "waited");
}

/* ---- the running jobs ------------------------------------------------------------------------ */

enum { RUNNING = 300, ENDS = 100 };

/* What the plain program expects: what is given back by a time, and when that is enough. */
static void check_running(struct loom_running *running, const int64_t *procs_at, int64_t now_s)
{
    int64_t freed = 0, time_s;
    for (int64_t end_s = now_s + 1; end_s < ENDS; end_s++) {
        if (procs_at[end_s] > 0) { /* from one more than before to all of them */
            time_s = now_s;
            assert_int_equal(loom_running_freed(running, now_s, freed + 1, &time_s),
                             freed + procs_at[end_s]);
            assert_int_equal(time_s, end_s);
            time_s = now_s;
            loom_running_freed(running, now_s, freed + procs_at[end_s], &time_s);
            assert_int_equal(time_s, end_s);
        }
        freed += procs_at[end_s];
        time_s = end_s;
        assert_int_equal(loom_running_freed(running, now_s, 0, &time_s), freed);
        assert_int_equal(time_s, end_s);
    }
    time_s = now_s;
    assert_int_equal(loom_running_freed(running, now_s, freed + 1, &time_s), freed);
    assert_int_equal(time_s, LOOM_NEVER);
}

/* Jobs that are on the machine, and how many processors they give back when. */
struct plain_running {
    struct loom_running_job jobs[RUNNING];
    size_t n;
    int64_t procs_at[ENDS];
};

static void plain_leave(struct plain_running *plain, size_t which)
{
    plain->procs_at[plain->jobs[which].expected_s] -= plain->jobs[which].procs;
    plain->jobs[which] = plain->jobs[--plain->n];
}

/* Many jobs of few widths with the same expected ends come and leave: they are removed, or leave at
 * a known time. */
static void play_running(bool removed)
{
    struct loom_running running = {0};
    struct plain_running *plain = calloc(1, sizeof *plain);
    struct loom_stream stream;
    int64_t now_s = 0;
    loom_stream_init(&stream, 1, removed, "running");
    assert_non_null(plain);
    assert_int_equal(loom_running_reserve(&running, RUNNING + 20), 0);
    while (now_s < ENDS - 1) {
        if (plain->n < RUNNING && below(&stream, 40) > 0) {
            struct loom_running_job *job = &plain->jobs[plain->n++];
            job->expected_s = now_s + 1 + below(&stream, ENDS - now_s - 1);
            job->left_s =
                removed ? LOOM_NEVER : now_s + 1 + below(&stream, job->expected_s - now_s);
            job->procs = 1 + below(&stream, 4);
            plain->procs_at[job->expected_s] += job->procs;
            *loom_running_add(&running, now_s) = *job;
        } else {
            now_s++;
            for (size_t i = plain->n; i-- > 0;)
                if (removed && (plain->jobs[i].expected_s <= now_s || below(&stream, 9) == 0)) {
                    loom_running_remove(&running, plain->jobs[i].expected_s, plain->jobs[i].procs);
                    plain_leave(plain, i);
                } else if (plain->jobs[i].left_s <= now_s) {
                    plain_leave(plain, i);
                }
        }
        if (below(&stream, 4) == 0)
            check_running(&running, plain->procs_at, now_s);
    }
    loom_running_free(&running);
    free(plain);
}

static void test_running(void **state)
{
    (void)state;
    play_running(false);
    play_running(true);
}

/* ---- the heap -------------------------------------------------------------------------------- */

static void test_heap_set(void **state)
{
    enum { N = 300 };
    int64_t time_s[N];
    struct loom_heap heap = {0};
    struct loom_stream stream;
    (void)state;
    loom_stream_init(&stream, 1, 0, "heap");
    memset(time_s, -1, sizeof time_s);
    for (int step = 0; step < 20000; step++) {
        uint32_t best = LOOM_NO_JOB;
        for (uint32_t job = 0; job < N; job++)
            if (time_s[job] >= 0 && (best == LOOM_NO_JOB || time_s[job] < time_s[best]))
                best = job;
        assert_int_equal(heap.n > 0 ? heap.entries[0].item : LOOM_NO_JOB, best);
        if (best != LOOM_NO_JOB)
            assert_true(loom_heap_next(&heap) == time_s[best]);
        if (below(&stream, 3) == 0 && best != LOOM_NO_JOB) {
            loom_heap_pop(&heap);
            time_s[best] = -1;
        } else {
            uint32_t job = (uint32_t)below(&stream, N);
            time_s[job] = below(&stream, 1000);
            assert_int_equal(loom_heap_set(&heap, job, time_s[job]), 0);
        }
    }
    loom_heap_free(&heap);
}

/* Entries with few keys and orders come by key, then order, then item. */
static void test_heap_push(void **state)
{
    enum { N = 500 };
    struct loom_heap heap = {0};
    struct loom_heap_entry last = {.key = -1};
    struct loom_stream stream;
    (void)state;
    loom_stream_init(&stream, 2, 0, "heap");
    assert_int_equal(loom_heap_reserve(&heap, N), 0);
    for (uint32_t i = 0; i < N; i++)
        loom_heap_push(&heap, (struct loom_heap_entry){below(&stream, 60),
                                                       (uint32_t)below(&stream, 3), N - i});
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(heap.n, N - i);
        int64_t next = loom_heap_next(&heap);
        struct loom_heap_entry entry = loom_heap_pop(&heap);
        assert_true(entry.key == next && loom_heap_precedes(&last, &entry));
        last = entry;
    }
    assert_true(loom_heap_next(&heap) == INT64_MAX);
    loom_heap_free(&heap);
}

/* Pushes and pops, in turns of which each is longer than the sorted part, against the heap. */
static void test_ends(void **state)
{
    enum { ENTRIES = 5 * LOOM_ENDS_SORTED };
    struct loom_heap heap = {0};
    struct loom_ends ends = {0};
    struct loom_stream stream;
    (void)state;
    loom_stream_init(&stream, 3, 0, "ends");
    assert_int_equal(loom_heap_reserve(&heap, ENTRIES), 0);
    assert_int_equal(loom_heap_reserve(&ends.later, ENTRIES), 0);
    for (uint32_t step = 0; step < 40000; step++) {
        bool pushes = below(&stream, 8) < (step / 2000 % 2 ? 3 : 5);
        assert_int_equal(loom_ends_count(&ends), heap.n);
        assert_true(loom_ends_next(&ends) == loom_heap_next(&heap));
        if (pushes && heap.n < ENTRIES) {
            const struct loom_heap_entry entry = {below(&stream, 3000), step % 3, step};
            loom_ends_push(&ends, entry);
            loom_heap_push(&heap, entry);
        } else if (heap.n > 0) {
            assert_int_equal(loom_ends_pop(&ends).item, loom_heap_pop(&heap).item);
        }
    }
    loom_heap_free(&heap);
    loom_heap_free(&ends.later);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue),    cmocka_unit_test(test_running),
        cmocka_unit_test(test_heap_set), cmocka_unit_test(test_heap_push),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
