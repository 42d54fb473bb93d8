/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dependencies of batches: random users against the definitions taken literally. */
#include "population_log.h"

/* ---- dependencies ---------------------------------------------------------------------------- */

/* A log of short sessions and jobs of all lengths, so that many sessions overlap. */
static struct log *crowded_log(uint64_t seed)
{
    struct log *log = calloc(1, sizeof *log);
    struct loom_stream stream;
    loom_stream_init(&stream, seed, 0, "test crowd");
    int64_t time_s = 0;
    for (int i = 0; i < 200; i++) {
        static const uint64_t gaps[] = {10, 600, 5000, 30000};
        static const uint64_t runs[] = {1, 100, 4000, 100000};
        time_s += (int64_t)loom_stream_below(&stream, gaps[loom_stream_below(&stream, 4)]);
        add(log, (int32_t)loom_stream_below(&stream, 3), time_s,
            (int64_t)loom_stream_below(&stream, 300),
            (int64_t)loom_stream_below(&stream, runs[loom_stream_below(&stream, 4)]));
    }
    finish(log, loom_user_rule());
    return log;
}

static uint32_t session_of_batch(const struct loom_sessions *sessions, uint32_t batch)
{
    uint32_t session = 0;
    while (sessions->first_batch[session + 1] <= batch)
        session++;
    return session;
}

static uint32_t user_of_batch(const struct loom_batch_graph *graph, uint32_t batch)
{
    uint32_t user = 0;
    while (graph->user_batch[user + 1] <= batch)
        user++;
    return user;
}

/* Definition 12, word by word: does b depend on a? */
static bool depends(const struct loom_batch_graph *graph, const struct loom_sessions *sessions,
                    uint32_t b, uint32_t a)
{
    if (user_of_batch(graph, a) != user_of_batch(graph, b) || a >= b)
        return false;
    uint32_t sa = session_of_batch(sessions, a), sb = session_of_batch(sessions, b);
    if (sa == sb)
        return b == a + 1;
    if (b != sessions->first_batch[sb] || a != sessions->first_batch[sa + 1] - 1)
        return false;
    for (uint32_t k = sessions->first_batch[sa]; k <= a; k++)
        if (graph->ended_s[k] >= graph->begin_s[b])
            return false;
    return true;
}

/* What is implied by the list of a batch and of those before it that begin sessions. */
static bool implied(const struct loom_batch_graph *graph, const struct loom_sessions *sessions,
                    uint32_t b, uint32_t a)
{
    uint32_t heir = graph->dependent[a];
    if (heir == LOOM_NO_BATCH || heir > b || user_of_batch(graph, a) != user_of_batch(graph, b))
        return false;
    return heir == b || (b == sessions->first_batch[session_of_batch(sessions, b)] &&
                         heir == sessions->first_batch[session_of_batch(sessions, heir)] &&
                         session_of_batch(sessions, a) != session_of_batch(sessions, heir));
}

static void check_times(const struct log *log, const struct loom_batch_graph *graph,
                        const struct loom_sessions *sessions, uint32_t b)
{
    int64_t ended_s = INT64_MIN, begin_s = INT64_MAX, last_s = INT64_MIN, until_s = INT64_MIN;
    for (uint32_t i = sessions->batch_first[b]; i < sessions->batch_first[b + 1]; i++) {
        ended_s = log->users->ended_s[i] > ended_s ? log->users->ended_s[i] : ended_s;
        begin_s = log->users->submit_s[i] < begin_s ? log->users->submit_s[i] : begin_s;
        last_s = log->users->submit_s[i] > last_s ? log->users->submit_s[i] : last_s;
    }
    assert_int_equal(graph->ended_s[b], ended_s);
    assert_int_equal(graph->begin_s[b], begin_s);
    assert_int_equal(graph->last_s[b], last_s);
    for (uint32_t a = 0; a < b; a++)
        if (depends(graph, sessions, b, a) && graph->ended_s[a] > until_s)
            until_s = graph->ended_s[a];
    assert_int_equal(graph->think_s[b], until_s == INT64_MIN ? -1 : begin_s - until_s);
    bool first = b == graph->user_batch[user_of_batch(graph, b)];
    assert_int_equal(graph->interarrival_s[b], first ? -1 : begin_s - graph->last_s[b - 1]);
    assert_true(graph->think_s[b] == -1 || graph->think_s[b] > 0);
}

static void check_lists(const struct loom_batch_graph *graph)
{
    assert_int_equal(graph->list_first[0], 0);
    for (uint32_t b = 0; b < graph->batches; b++) {
        for (uint32_t i = graph->list_first[b]; i < graph->list_first[b + 1]; i++) {
            assert_int_equal(graph->dependent[graph->list[i]], b);
            assert_true(i == graph->list_first[b] || graph->list[i - 1] < graph->list[i]);
        }
    }
    size_t linked = 0;
    for (uint32_t b = 0; b < graph->batches; b++)
        linked += graph->dependent[b] != LOOM_NO_BATCH;
    assert_int_equal(graph->list_first[graph->batches], linked);
}

static void test_dependencies(void **state)
{
    (void)state;
    struct loom_session_rule rule = loom_session_rule(LOOM_SESSION_ARRIVAL);
    size_t crossing = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct log *log = crowded_log(seed);
        struct loom_sessions *sessions = NULL;
        struct loom_batch_graph *graph = NULL;
        assert_int_equal(loom_sessions_create(&sessions, log->users, &rule, NULL), 0);
        assert_int_equal(loom_batch_graph_create(&graph, log->users, sessions, NULL), 0);
        assert_int_equal(graph->batches, sessions->batches);
        check_lists(graph);
        for (uint32_t b = 0; b < graph->batches; b++) {
            check_times(log, graph, sessions, b);
            for (uint32_t a = 0; a < graph->batches; a++) {
                assert_int_equal(depends(graph, sessions, b, a), implied(graph, sessions, b, a));
                crossing += depends(graph, sessions, b, a) && graph->dependent[a] != b;
            }
        }
        loom_batch_graph_destroy(graph);
        loom_sessions_destroy(sessions);
        release(log);
    }
    assert_true(crossing > 100); /* the lists leave out what these logs have plenty of */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
