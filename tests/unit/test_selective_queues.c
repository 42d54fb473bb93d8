/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selective backfilling: searches in long queues, beside plain loops. */
#include "sched/support/tournament.h"
#include "sched/support/width_index.h"
#include "support.h"

#include <math.h>

/* More jobs than one block of the searches holds, against a walk through all of them. */
enum { MANY = 3000 };

static void make_many(struct loom_sim_job *jobs, struct loom_stream *stream)
{
    int64_t clock_s = 0;
    for (int j = 0; j < MANY; j++) {
        clock_s += (int64_t)loom_stream_below(stream, 20);
        jobs[j] = (struct loom_sim_job){.submit_s = clock_s, .start_s = -1};
        jobs[j].estimate_s =
            1 + (int64_t)loom_stream_below(stream, 1u << loom_stream_below(stream, 16));
        jobs[j].procs = 1 + (int32_t)loom_stream_below(stream, 300);
    }
}

static uint32_t first_past(const struct loom_sim_job *jobs, const bool *in, uint32_t from,
                           double threshold, int64_t now_s)
{
    for (uint32_t j = from; j < MANY; j++) {
        double estimate_s = (double)jobs[j].estimate_s;
        if (in[j] && ((double)(now_s - jobs[j].submit_s) + estimate_s) / estimate_s > threshold)
            return j;
    }
    return LOOM_NO_JOB;
}

static void finds_who_has_passed(void **state)
{
    static struct loom_sim_job jobs[MANY];
    struct loom_stream stream;
    struct loom_tournament tournament = {0};
    bool in[MANY] = {0};
    (void)state;
    loom_stream_init(&stream, 12, 0, "selective tournament");
    make_many(jobs, &stream);
    loom_tournament_open(&tournament);
    double threshold = 1;
    for (uint32_t round = 0, known = 0; round < 20000; round++) {
        if (known < MANY && loom_stream_below(&stream, 4) == 0) {
            assert_int_equal(loom_tournament_add(&tournament, known), 0);
            in[known++] = true;
        }
        int64_t now_s =
            known ? jobs[known - 1].submit_s + (int64_t)loom_stream_below(&stream, 9) : 0;
        threshold = fmax(1, threshold + ((double)loom_stream_below(&stream, 201) - 98) / 1000);
        uint32_t from = (uint32_t)loom_stream_below(&stream, known + 1) / 2;
        uint32_t job = loom_tournament_next(&tournament, jobs, from, threshold, now_s);
        assert_int_equal(job, first_past(jobs, in, from, threshold, now_s));
        if (job != LOOM_NO_JOB && loom_stream_below(&stream, 2)) {
            loom_tournament_remove(&tournament, job);
            in[job] = false;
        }
    }
    loom_tournament_free(&tournament);
}

/* What a job has; LOOM_NO_VALUE where it has none, both if it is gone. */
struct plain {
    int64_t length_s, start_s;
};

struct below {
    enum loom_width_value first;
    const struct loom_sim_job *jobs;
    struct plain plain[MANY];
    int64_t limit[2][LOOM_WIDTH_GROUPS];
};

static int64_t plain_value(const struct plain *plain, enum loom_width_value value)
{
    bool unreserved = plain->start_s == LOOM_NO_VALUE;
    if (value == LOOM_WIDTH_START)
        return plain->start_s;
    return unreserved == (value == LOOM_WIDTH_UNRESERVED) ? plain->length_s : LOOM_NO_VALUE;
}

/* As a policy would: what there is for a job may be less than for the narrowest of its group. */
static bool is_even(const void *self, uint32_t job)
{
    const struct below *below = self;
    return below->jobs[job].procs % 2 == 0;
}

static bool is_below(const struct below *below, uint32_t job)
{
    unsigned group = loom_width_group_of(below->jobs[job].procs);
    return is_even(below, job) &&
           (plain_value(&below->plain[job], below->first) <= below->limit[0][group] ||
            plain_value(&below->plain[job], LOOM_WIDTH_START) <= below->limit[1][group]);
}

static int64_t least_of(const struct below *below, uint32_t known, enum loom_width_value value)
{
    int64_t least = LOOM_NO_VALUE;
    for (uint32_t job = 0; job < known; job++)
        if (plain_value(&below->plain[job], value) < least)
            least = plain_value(&below->plain[job], value);
    return least;
}

static void change_one(struct loom_width_index *index, struct plain *plain, uint32_t job,
                       struct loom_stream *stream)
{
    if (plain->length_s == LOOM_NO_VALUE)
        return;
    if (loom_stream_below(stream, 3) == 0) {
        loom_width_index_remove(index, job);
        plain->length_s = plain->start_s = LOOM_NO_VALUE;
        return;
    }
    plain->length_s = (int64_t)loom_stream_below(stream, 9999);
    plain->start_s =
        loom_stream_below(stream, 2) ? (int64_t)loom_stream_below(stream, 9999) : LOOM_NO_VALUE;
    loom_width_index_set(index, job, plain->length_s, plain->start_s);
    for (enum loom_width_value each = 0; each < LOOM_WIDTH_VALUES; each++)
        assert_true(loom_width_index_get(index, job, each) == plain_value(plain, each));
}

/* Values come, change and go; the first job that is low enough is found each time. */
static void search_by(enum loom_width_value value, struct loom_width_index *index)
{
    static struct loom_sim_job jobs[MANY];
    static struct below below;
    struct loom_stream stream;
    const struct loom_width_query query = {loom_width_group_of(300) + 1,
                                           {value, LOOM_WIDTH_START},
                                           {below.limit[0], below.limit[1]},
                                           is_even,
                                           &below};
    loom_stream_init(&stream, 13, value, "selective widths");
    make_many(jobs, &stream);
    assert_int_equal(loom_width_index_open(index, 300), 0);
    below.first = value;
    below.jobs = jobs;
    for (uint32_t round = 0, known = 0; round < 20000; round++) {
        if (known < MANY && loom_stream_below(&stream, 4) == 0) {
            below.plain[known] = (struct plain){5000, LOOM_NO_VALUE};
            assert_int_equal(loom_width_index_add(index, jobs[known++].procs, 5000), 0);
        }
        for (int k = 0; k < 3 && known > 0; k++) {
            uint32_t job = (uint32_t)loom_stream_below(&stream, known);
            change_one(index, &below.plain[job], job, &stream);
        }
        for (unsigned group = 0; group < query.n_groups; group++)
            for (int k = 0; k < 2; k++)
                below.limit[k][group] = (int64_t)loom_stream_below(&stream, 200 - group) - 100;
        uint32_t from = (uint32_t)loom_stream_below(&stream, known + 1) / 2, first = from;
        while (first < known && !is_below(&below, first))
            first++;
        uint32_t job = loom_width_index_next(index, &query, from);
        assert_int_equal(job, first < known ? first : LOOM_NO_JOB);
        if (round % 64 == 0)
            for (enum loom_width_value each = 0; each < LOOM_WIDTH_VALUES; each++)
                assert_int_equal(loom_width_index_min(index, each), least_of(&below, known, each));
    }
}

/* One after the other, in the same memory. */
static void finds_what_is_low_enough(void **state)
{
    struct loom_width_index index = {0};
    (void)state;
    search_by(LOOM_WIDTH_UNRESERVED, &index);
    search_by(LOOM_WIDTH_RESERVED, &index);
    loom_width_index_free(&index);
}

/* Every width is in the group whose narrowest is the last not above it. */
static void maps_widths_to_groups(void **state)
{
    (void)state;
    for (int64_t procs = 1; procs < 5000; procs++) {
        unsigned group = loom_width_group_of(procs);
        assert_true(loom_width_group_min(group) <= procs &&
                    loom_width_group_min(group + 1) > procs);
    }
    assert_true(loom_width_group_of(INT32_MAX) < LOOM_WIDTH_GROUPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_who_has_passed),
        cmocka_unit_test(finds_what_is_low_enough),
        cmocka_unit_test(maps_widths_to_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
