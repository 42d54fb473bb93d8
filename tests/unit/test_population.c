/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Populations and dependencies: random users against the definitions taken literally, and what is
 * drawn at random against what it must be on average.
 */
#include "population_log.h"

/* ---- what must hold of every population ------------------------------------------------------ */

static int64_t week_of(const struct loom_users *users, int64_t time_s)
{
    return (time_s - users->begin_s) / WEEK;
}

static void check_round(const struct log *log, const struct loom_population *population,
                        const struct loom_user_round *one)
{
    const struct loom_users *users = log->users;
    assert_int_equal(one->shift_s % WEEK, 0);
    assert_int_equal(population->original[one->person], one->user);
    assert_int_equal(log->pools->kind[one->user], one->kind);
    assert_true(one->kind != LOOM_DISCARDED);
    assert_in_range(one->first, users->first[one->user], users->first[one->user + 1] - 1);
    assert_int_equal(one->arrival_s, users->submit_s[one->first] + one->shift_s);
    assert_true(one->arrival_s >= population->begin_s);
    if (one->first > users->first[one->user]) {
        /* Who does not begin at the beginning is there at the start, with a whole week. */
        assert_true(users->submit_s[one->first - 1] + one->shift_s < population->begin_s);
    }
}

static void check_order(const struct loom_population *population)
{
    for (size_t i = 1; i < population->n; i++) {
        const struct loom_user_round *a = &population->rounds[i - 1], *b = a + 1;
        assert_true(a->arrival_s < b->arrival_s ||
                    (a->arrival_s == b->arrival_s && a->person < b->person));
    }
}

/* Temporary users and rare behaviours come once as a person, and start at most once in a week. */
static void check_newcomers(const struct log *log, const struct loom_population *population)
{
    int64_t weeks = week_of(log->users, population->until_s - 1) + 1;
    uint8_t *seen = calloc((size_t)weeks * log->users->count, 1);
    uint8_t *persons = calloc(population->persons + 1, 1);
    assert_non_null(seen);
    assert_non_null(persons);
    for (size_t i = 0; i < population->n; i++) {
        const struct loom_user_round *one = &population->rounds[i];
        if (one->kind == LOOM_LONG_TERM)
            continue;
        assert_int_equal(persons[one->person]++, 0);
        int64_t week =
            one->first > log->users->first[one->user] ? 0 : week_of(log->users, one->arrival_s);
        assert_true(week < weeks);
        assert_int_equal(seen[(size_t)week * log->users->count + one->user]++, 0);
    }
    free(seen);
    free(persons);
}

/* The rounds of a long-term user are whole weeks apart, as many as the log has, up or down. */
static void check_rounds(const struct log *log, const struct loom_population *population)
{
    int64_t log_s = log->users->end_s - log->users->begin_s + 1;
    for (size_t person = 0; person < population->persons; person++) {
        int64_t before_s = INT64_MIN;
        for (size_t i = 0; i < population->n; i++) {
            const struct loom_user_round *one = &population->rounds[i];
            if (one->person != person)
                continue;
            if (before_s != INT64_MIN) {
                assert_true(llabs(one->shift_s - before_s - log_s) < WEEK);
                assert_int_equal(one->first, log->users->first[one->user]);
            }
            before_s = one->shift_s;
        }
        assert_true(before_s != INT64_MIN);
    }
}

static void check_population(const struct log *log, const struct loom_population *population)
{
    for (size_t i = 0; i < population->n; i++)
        check_round(log, population, &population->rounds[i]);
    check_order(population);
    check_newcomers(log, population);
    check_rounds(log, population);
}

static size_t count_kind(const struct log *log, const struct loom_population *population,
                         uint8_t kind)
{
    size_t n = 0;
    for (size_t person = 0; person < population->persons; person++)
        n += log->pools->kind[population->original[person]] == kind;
    return n;
}

static void test_populations(void **state)
{
    (void)state;
    static const struct loom_population_rule rules[] = {
        {1, -1, -1, -1, 0, 0, false, false, NULL},
        {1, -1, -1, -1, 0, 300 * (int64_t)WEEK, false, false, NULL},
        {0.3, -1, -1, -1, 0, 0, false, false, NULL},
        {3.4, -1, -1, -1, 0, 0, true, false, NULL},
        {1, 5, 2, 0.5, 0, 7 * WEEK, false, false, NULL},
        {1, -1, -1, -1, 0, 300 * (int64_t)WEEK, true, false, NULL},
        {1, -1, -1, -1, 0, 1000, true, true, NULL},
        {1, -1, -1, -1, 0, 1000, false, true, NULL},
    };
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct log *log = random_log(seed);
        assert_int_equal(log->pools->count[LOOM_LONG_TERM], 10);
        for (size_t i = 0; i < COUNT(rules); i++) {
            struct loom_population *population = draw(log, &rules[i], seed);
            check_population(log, population);
            loom_population_destroy(population);
        }
        release(log);
    }
}

static void test_same_again(void **state)
{
    (void)state;
    struct log *log = random_log(1);
    struct loom_population_rule rule = loom_population_rule();
    struct loom_population *a = draw(log, &rule, 3), *b = draw(log, &rule, 3),
                           *c = draw(log, &rule, 4);
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_int_equal(a->rounds[i].user, b->rounds[i].user);
        assert_int_equal(a->rounds[i].shift_s, b->rounds[i].shift_s);
    }
    bool differs = a->n != c->n;
    for (size_t i = 0; i < a->n && !differs; i++)
        differs = a->rounds[i].shift_s != c->rounds[i].shift_s;
    assert_true(differs);
    loom_population_destroy(a);
    loom_population_destroy(b);
    loom_population_destroy(c);
    release(log);
}

/* ---- on average ------------------------------------------------------------------------------ */

/* Over so many draws, the mean is within five of its standard errors. */
static void assert_mean(double sum, double sum_of_squares, size_t n, double wanted)
{
    double mean = sum / (double)n, variance = sum_of_squares / (double)n - mean * mean;
    double error = sqrt(fmax(variance, 0) / (double)n);
    if (fabs(mean - wanted) > 5 * error + 1e-9)
        fail_msg("a mean of %g, which should be %g, is off by more than 5 times %g", mean, wanted,
                 error);
}

enum { DRAWS = 400 };

static double weeks_of(const struct loom_users *users, size_t user)
{
    return (double)(week_of(users, loom_user_end(users, user)) -
                    week_of(users, loom_user_begin(users, user)) + 1);
}

static double weeks_of_log(const struct log *log)
{
    return (double)(log->users->end_s - log->users->begin_s + 1) / WEEK;
}

/* Each temporary user is there at the start with a probability of its weeks by those of the log:
 * what the weeks of all who are there then add up to. */
static double weeks_present(const struct log *log)
{
    double sum = 0;
    for (size_t i = 0; i < log->pools->count[LOOM_TEMPORARY]; i++) {
        double weeks = weeks_of(log->users, log->pools->members[LOOM_TEMPORARY][i]);
        sum += weeks * weeks / weeks_of_log(log);
    }
    return sum;
}

/* Numbers of users at the start, who rather have many weeks, and of users that come later, whose
 * number is binomial: its variance in a week is for as many trials as there are temporary users. */
static void test_numbers(void **state)
{
    (void)state;
    struct log *log = random_log(5);
    struct loom_population_rule rule = loom_population_rule();
    double present = 0, presents = 0, later = 0, laters = 0, stay = 0, stays = 0;
    double rate = loom_temporary_arrivals(log->users, log->pools);
    double trials = (double)log->pools->count[LOOM_TEMPORARY], weeks = 60;
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct loom_population *population = draw(log, &rule, i);
        assert_int_equal(count_kind(log, population, LOOM_LONG_TERM), 10);
        double here = 0, come = 0, stay_of_all = 0;
        for (size_t k = 0; k < population->n; k++) {
            const struct loom_user_round *one = &population->rounds[k];
            if (one->kind == LOOM_TEMPORARY) {
                bool first_week = one->arrival_s - one->shift_s - log->users->begin_s <
                                      (int64_t)WEEK - one->shift_s &&
                                  week_of(log->users, one->arrival_s) == 0;
                bool early = one->first > log->users->first[one->user] || first_week;
                here += early;
                come += !early;
                stay_of_all += early ? weeks_of(log->users, one->user) : 0;
            }
        }
        stay += stay_of_all;
        stays += stay_of_all * stay_of_all;
        present += here;
        presents += here * here;
        later += come;
        laters += come * come;
        loom_population_destroy(population);
    }
    assert_mean(present, presents, DRAWS, loom_temporary_present(log->users, log->pools));
    assert_mean(stay, stays, DRAWS, weeks_present(log));
    assert_mean(later, laters, DRAWS, rate * weeks);
    double variance = laters / DRAWS - later / DRAWS * later / DRAWS;
    double wanted = weeks * rate * (1 - rate / trials);
    assert_true(fabs(variance / wanted - 1) < 5 * sqrt(2.0 / DRAWS));
    release(log);
}

/* Every week expects the same work, from the first on. Here: jobs in the first ten weeks of a
 * workload and in ten from its middle. */
static void test_steady(void **state)
{
    (void)state;
    struct log *log = random_log(6);
    struct loom_population_rule rule = loom_population_rule();
    rule.length_s = 60 * (int64_t)WEEK;
    double difference = 0, squares = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct loom_population *population = draw(log, &rule, i);
        double jobs[2] = {0, 0};
        for (size_t k = 0; k < population->n; k++) {
            const struct loom_user_round *one = &population->rounds[k];
            for (uint32_t p = one->first; p < log->users->first[one->user + 1]; p++) {
                int64_t week = week_of(log->users, log->users->submit_s[p] + one->shift_s);
                jobs[0] += week < 10;
                jobs[1] += week >= 25 && week < 35;
            }
        }
        difference += jobs[0] - jobs[1];
        squares += (jobs[0] - jobs[1]) * (jobs[0] - jobs[1]);
        loom_population_destroy(population);
    }
    assert_mean(difference, squares, DRAWS, 0);
    release(log);
}

static double jobs_in(const struct log *log, const struct loom_population *population)
{
    double jobs = 0;
    for (size_t k = 0; k < population->n; k++) {
        const struct loom_user_round *one = &population->rounds[k];
        for (uint32_t p = one->first; p < log->users->first[one->user + 1]; p++)
            jobs += log->users->submit_s[p] + one->shift_s < population->until_s;
    }
    return jobs;
}

/* A workload as long as the log has as many jobs on average: no round is longer than the log, and
 * others do the jobs of discarded users. The log has 60.5 weeks; users 41 to 50 are seen in the
 * last three of them only, with 4 jobs each. */
static void test_jobs(void **state)
{
    (void)state;
    struct log *log = random_log(12);
    loom_user_pools_destroy(log->pools);
    loom_users_destroy(log->users);
    int64_t end_s = 123456 + 60 * (int64_t)WEEK + 300000;
    for (int32_t job = 0; job < 40; job++)
        add(log, 41 + job % 10, end_s - 3 * WEEK + job * 30000, 1, 1);
    finish(log, loom_user_rule());
    assert_int_equal(log->pools->count[LOOM_DISCARDED], 10);
    struct loom_population_rule rule = loom_population_rule();
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < 4000; i++) {
        struct loom_population *population = draw(log, &rule, i);
        double jobs = jobs_in(log, population);
        sum += jobs;
        squares += jobs * jobs;
        loom_population_destroy(population);
    }
    assert_mean(sum, squares, 4000, (double)log->n);
    release(log);
}

/* ---- load factors ---------------------------------------------------------------------------- */

/* All are taken once before any is taken twice, and copies start far apart. */
static void test_load_factor(void **state)
{
    (void)state;
    struct log *log = random_log(8);
    static const double factors[] = {0.25, 1, 1.5, 2, 3.7};
    for (size_t f = 0; f < COUNT(factors); f++) {
        struct loom_population_rule rule = loom_population_rule();
        rule.load_factor = factors[f];
        rule.length_s = WEEK; /* one round each */
        rule.start_active = f % 2 == 0;
        double total = 0, squares = 0;
        for (uint64_t i = 0; i < 50; i++) {
            struct loom_population *population = draw(log, &rule, i);
            int64_t starts[10][8];
            size_t copies[10] = {0};
            for (size_t k = 0; k < population->n; k++) {
                const struct loom_user_round *one = &population->rounds[k];
                if (one->kind == LOOM_LONG_TERM)
                    starts[one->user][copies[one->user]++] = one->shift_s / WEEK;
            }
            double n = 0;
            for (size_t user = 0; user < 10; user++) {
                n += (double)copies[user];
                assert_true(copies[user] == (size_t)floor(factors[f]) ||
                            copies[user] == (size_t)ceil(factors[f]));
                for (size_t a = 0; a < copies[user]; a++)
                    for (size_t b = 0; b < a; b++)
                        assert_true(llabs(starts[user][a] - starts[user][b]) >=
                                    30 / (int64_t)copies[user]);
            }
            assert_true(fabs(n - 10 * factors[f]) < 1);
            total += n;
            squares += n * n;
            loom_population_destroy(population);
        }
        assert_mean(total, squares, 50, 10 * factors[f]);
    }
    release(log);
}

/* Weights move users about, not their number. */
static void test_weights(void **state)
{
    (void)state;
    struct log *log = random_log(9);
    double weight[40];
    for (size_t i = 0; i < COUNT(weight); i++)
        weight[i] = i % 2 == 0 ? 3 : 1;
    weight[0] = 0;
    struct loom_population_rule rule = loom_population_rule();
    rule.weight = weight;
    rule.long_term = 5;
    double sum[2] = {0, 0}, squares[2] = {0, 0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct loom_population *population = draw(log, &rule, i);
        double n[2] = {0, 0};
        for (size_t person = 0; person < population->persons; person++) {
            uint32_t user = population->original[person];
            assert_true(user != 0);
            if (log->pools->kind[user] == LOOM_LONG_TERM)
                n[user % 2]++;
        }
        for (int k = 0; k < 2; k++) {
            sum[k] += n[k];
            squares[k] += n[k] * n[k];
        }
        loom_population_destroy(population);
    }
    /* 4 users of weight 3, 5 of weight 1 */
    assert_mean(sum[0], squares[0], DRAWS, 5 * 12.0 / 17);
    assert_mean(sum[1], squares[1], DRAWS, 5 * 5.0 / 17);
    release(log);
}

/* ---- rare behaviours ------------------------------------------------------------------------- */

static void test_rare(void **state)
{
    (void)state;
    struct log *log = random_log(10);
    struct loom_activity activity = {log->n, log->user, log->submit_s, log->wait_s, log->run_s};
    int64_t middle_s = log->users->begin_s + 30 * (int64_t)WEEK;
    const struct loom_rare rare[] = {{3, INT64_MIN, middle_s}, {17, INT64_MIN, INT64_MAX}};
    int32_t user[MOST];
    struct loom_user_rule pools = loom_user_rule();
    assert_int_equal(loom_rare_split(user, &pools.rare_from, &activity, rare, 2, NULL), 0);
    assert_int_equal(pools.rare_from, 41);
    for (size_t i = 0; i < log->n; i++)
        assert_int_equal(user[i], log->user[i] == 17 ? 42
                                  : log->user[i] == 3 && log->submit_s[i] <= middle_s
                                      ? 41
                                      : log->user[i]);
    loom_user_pools_destroy(log->pools);
    loom_users_destroy(log->users);
    memcpy(log->user, user, sizeof user);
    finish(log, pools);
    assert_int_equal(log->pools->count[LOOM_RARE], 2);
    struct loom_population_rule rule = loom_population_rule();
    struct loom_population *only_rare = NULL;
    rule.rare_per_week = 0.25;
    rule.length_s = 201 * (int64_t)WEEK;
    double rares = 0, squares = 0, all = 0;
    double rate = loom_temporary_arrivals(log->users, log->pools);
    for (uint64_t i = 0; i < 100; i++) {
        struct loom_population *population = draw(log, &rule, i);
        check_population(log, population);
        double n = (double)count_kind(log, population, LOOM_RARE), come = 0;
        for (size_t k = 0; k < population->n; k++)
            come += population->rounds[k].kind != LOOM_LONG_TERM &&
                    week_of(log->users, population->rounds[k].arrival_s) > 0 &&
                    population->rounds[k].first == log->users->first[population->rounds[k].user];
        rares += n;
        squares += n * n;
        all += come;
        loom_population_destroy(population);
    }
    assert_mean(rares, squares, 100, 0.25 * 200);
    rule.rare_per_week = rate; /* all that arrive */
    assert_int_equal(loom_population_create(&only_rare, log->users, log->pools, &rule, 1, 0, NULL),
                     0);
    for (size_t k = 0; k < only_rare->n; k++)
        assert_true(only_rare->rounds[k].kind != LOOM_TEMPORARY ||
                    week_of(log->users, only_rare->rounds[k].shift_s) < 0);
    loom_population_destroy(only_rare);
    assert_true(fabs(all / 100 - 200 * rate) < 1.5); /* those present may come after week 0 too */
    struct loom_error err = {0};
    struct loom_population *population = NULL;
    rule.arrivals = 9;
    rule.rare_per_week = 2; /* both, each week */
    assert_int_equal(loom_population_create(&population, log->users, log->pools, &rule, 1, 0, &err),
                     0);
    assert_int_equal(count_kind(log, population, LOOM_RARE), 2 * 200);
    loom_population_destroy(population);
    rule.rare_per_week = 2.1;
    assert_int_equal(loom_population_create(&population, log->users, log->pools, &rule, 1, 0, &err),
                     LOOM_ERANGE);
    assert_non_null(strstr(err.message, "twice in a week"));
    release(log);
}

/* ---- long-term users in closed populations --------------------------------------------------- */

static void test_again(void **state)
{
    (void)state;
    struct log *log = random_log(11);
    struct loom_population_rule rule = loom_population_rule();
    rule.closed = true;
    rule.length_s = 500 * (int64_t)WEEK;
    struct loom_population *population = draw(log, &rule, 0);
    size_t rounds = 0;
    for (size_t i = 0; i < population->n; i++) {
        const struct loom_user_round *one = &population->rounds[i];
        if (one->kind != LOOM_LONG_TERM)
            continue;
        rounds++;
        for (int64_t at_s = one->arrival_s - 3; at_s < one->arrival_s + 3 * WEEK; at_s += 99991) {
            struct loom_user_round again = loom_user_next_round(log->users, one, at_s);
            assert_int_equal(again.person, one->person);
            assert_int_equal(again.first, log->users->first[one->user]);
            assert_int_equal(again.shift_s % WEEK, 0);
            assert_true(again.arrival_s >= at_s && again.arrival_s < at_s + WEEK);
        }
    }
    assert_int_equal(rounds, 10);
    loom_population_destroy(population);
    release(log);
}

/* ---- logs that do not serve ------------------------------------------------------------------ */

static void expect_failure(struct log *log, struct loom_population_rule rule, int code,
                           const char *part)
{
    struct loom_population *population = NULL;
    struct loom_error err = {0};
    assert_int_equal(loom_population_create(&population, log->users, log->pools, &rule, 1, 0, &err),
                     code);
    assert_non_null(strstr(err.message, part));
    release(log);
}

static void test_bad_logs(void **state)
{
    (void)state;
    struct loom_population_rule rule = loom_population_rule();
    struct log *log = calloc(1, sizeof *log);
    add(log, -1, 5, 1, 1);
    finish(log, loom_user_rule());
    expect_failure(log, rule, LOOM_EDATA, "has a user ID");

    log = calloc(1, sizeof *log); /* two weeks */
    for (int i = 0; i < 20; i++)
        add(log, i % 4, i * 60000, 1, 1);
    finish(log, loom_user_rule());
    expect_failure(log, rule, LOOM_EDATA, "only near");

    log = calloc(1, sizeof *log); /* 300 million years */
    add(log, 1, 0, 1, 1);
    add(log, 1, INT64_C(10000000000000000), 1, 1);
    finish(log, loom_user_rule());
    expect_failure(log, rule, LOOM_ERANGE, "20000 weeks");

    log = calloc(1, sizeof *log); /* no room to move */
    add(log, 1, INT64_MAX - 30 * (int64_t)WEEK, 1, 1);
    add(log, 1, INT64_MAX, 1, 1);
    finish(log, loom_user_rule());
    expect_failure(log, rule, LOOM_ERANGE, "too far from 0");

    log = random_log(2);
    rule.rare_per_week = 1;
    expect_failure(log, rule, LOOM_EUSAGE, "none is named");
    rule.rare_per_week = 0;
    rule.load_factor = 1e12;
    expect_failure(random_log(2), rule, LOOM_ERANGE, "fewer weeks");
}

/* One user, seen twice with a year between: a round of a year and a bit. Another, for two weeks of
 * it, pauses for the rest, less the half week that is lost on average until a round may begin. */
static void test_one_user(void **state)
{
    (void)state;
    struct log *log = calloc(1, sizeof *log);
    add(log, 7, 1000, 1, 1);
    add(log, 7, 1000 + 52 * (int64_t)WEEK, 1, 1);
    finish(log, loom_user_rule());
    struct loom_population_rule rule = loom_population_rule();
    rule.length_s = 530 * (int64_t)WEEK;
    struct loom_population *population = draw(log, &rule, 0);
    assert_int_equal(population->persons, 1);
    assert_true(population->n == 10 || population->n == 11);
    check_population(log, population);
    assert_int_equal(loom_user_pause(log->users, 0), 0);
    loom_population_destroy(population);
    release(log);
    log = calloc(1, sizeof *log);
    add(log, 7, 1000, 1, 1);
    add(log, 7, 1000 + 52 * (int64_t)WEEK, 1, 1);
    add(log, 8, 5000, 10, 20);
    add(log, 8, 5000 + 2 * WEEK, 10, 20);
    finish(log, loom_user_rule());
    assert_int_equal(loom_user_pause(log->users, 1), 50 * (int64_t)WEEK - 30 - WEEK / 2);
    release(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_populations), cmocka_unit_test(test_same_again),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_steady),
        cmocka_unit_test(test_jobs),        cmocka_unit_test(test_load_factor),
        cmocka_unit_test(test_weights),     cmocka_unit_test(test_rare),
        cmocka_unit_test(test_again),       cmocka_unit_test(test_bad_logs),
        cmocka_unit_test(test_one_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
