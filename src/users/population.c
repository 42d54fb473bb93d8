/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawing a population (Zakay, chapter 3, section 4; load factors section 6.3, rare behaviours
 * section 6.4).
 *
 * Every draw is "how many copies of this user", with a given mean c: the whole part of c, and one
 * more with the probability of the rest. For temporary users these are independent, so that with
 * equal means p below 1 their sum is binomial with as many trials as there are users, and no user
 * is drawn twice. For long-term users the sum is fixed, by systematic sampling: the rests are laid
 * end to end in random order, and a user is drawn if a whole number, counted from a random start,
 * falls into its rest. So each is drawn with the probability of its rest, and all once before any
 * twice.
 *
 * Where the text is not specific:
 *
 * - Long-term users start at any point of the trace (chapter 5), within their activity or outside
 *   it, so that every week expects the same work. Chapter 3 has a week of their own activity, which
 *   makes the beginning of a workload far busier than its middle: start_active.
 * - A round is as long as the log, which is no whole number of weeks. Rounds begin so far apart on
 *   average, each at the whole week before, so that no work is lost to the rest of the last week;
 *   but none before the last job of the round before.
 * - A temporary user is present in all weeks from the first job's to the last job's. New
 *   ones arrive from the second week on. Their rate counts the users that are discarded, who
 *   arrived too; but as few of their jobs were seen, so many users of the pool take their place as
 *   bring these jobs (seen_in_full).
 */
#include "base/civil.h"
#include "base/compare.h"
#include "base/search.h"
#include "base/vec.h"

#include <workloom/users.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times within this can be moved by as many weeks as a workload may have. */
#define FURTHEST_S (INT64_MAX / 4)

enum { WEEK_S = 7 * LOOM_DAY_S, MOST_WEEKS = 20000, MOST_PERSONS = 100000000 };

struct loom_population_rule loom_population_rule(void)
{
    return (struct loom_population_rule){.load_factor = 1,
                                         .long_term = -1,
                                         .temporary = -1,
                                         .arrivals = -1};
}

/* ---- weeks of the log ------------------------------------------------------------------------ */

/* Return the week of the log of a time, from 0. */
static int64_t week_of(const struct loom_users *users, int64_t time_s)
{
    return (time_s - users->begin_s) / WEEK_S;
}

static int64_t first_week(const struct loom_users *users, uint32_t user)
{
    return week_of(users, loom_user_begin(users, user));
}

/* Return the number of weeks from the first job's to the last job's. */
static int64_t weeks_of(const struct loom_users *users, uint32_t user)
{
    return week_of(users, loom_user_end(users, user)) - first_week(users, user) + 1;
}

static double log_weeks(const struct loom_users *users)
{
    return ((double)users->end_s - (double)users->begin_s + 1) / WEEK_S;
}

/* Return the weeks of a round: the log's, but at least one. */
static double round_weeks(const struct loom_users *users)
{
    return fmax(1, log_weeks(users));
}

/* Return the factor on temporary users that makes up for the jobs of discarded users. */
static double seen_in_full(const struct loom_user_pools *pools)
{
    double jobs = (double)pools->jobs[LOOM_TEMPORARY];
    return jobs > 0 ? (jobs + (double)pools->jobs[LOOM_DISCARDED]) / jobs : 1;
}

double loom_temporary_present(const struct loom_users *users, const struct loom_user_pools *pools)
{
    double weeks = 0;
    for (size_t i = 0; i < pools->count[LOOM_TEMPORARY]; i++)
        weeks += (double)weeks_of(users, pools->members[LOOM_TEMPORARY][i]);
    return seen_in_full(pools) * weeks / round_weeks(users);
}

double loom_temporary_arrivals(const struct loom_users *users, const struct loom_user_pools *pools)
{
    size_t arrived = pools->count[LOOM_TEMPORARY] + pools->count[LOOM_DISCARDED];
    return (double)arrived / log_weeks(users);
}

/* A round begins at the same second of the week as the user's first job, up to a week after the
 * pause is over and half a week on average, which is taken off here. */
int64_t loom_user_pause(const struct loom_users *users, size_t user)
{
    int64_t begin_s = loom_user_begin(users, user), ended_s = begin_s;
    for (uint32_t i = users->first[user]; i < users->first[user + 1]; i++)
        ended_s = users->ended_s[i] > ended_s ? users->ended_s[i] : ended_s;
    int64_t outside_s =
        loom_saturated_subtract(loom_saturated_subtract(users->end_s, users->begin_s),
                                loom_saturated_subtract(ended_s, begin_s));
    return outside_s > WEEK_S / 2 ? outside_s - WEEK_S / 2 : 0;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* A struct loom_population, with all that drawing needs. */
struct owner {
    struct loom_population population;
    struct loom_user_round *rounds;
    size_t n, capacity;
    uint32_t *original;
    size_t persons, persons_capacity;
};

struct draw {
    struct owner *owner;
    const struct loom_users *users;
    const struct loom_user_pools *pools;
    const struct loom_population_rule *rule;
    double *copies; /* of each member of a pool */
    uint32_t *order;
    struct loom_error *err;
};

/* Append a round of the person added last. */
static int add_round(struct draw *draw, uint32_t first, int64_t shift_s)
{
    struct owner *owner = draw->owner;
    if (loom_grow(&owner->rounds, owner->n, &owner->capacity))
        return loom_fail_memory(draw->err);
    uint32_t person = (uint32_t)owner->persons - 1, user = owner->original[person];
    owner->rounds[owner->n++] = (struct loom_user_round){
        .user = user,
        .first = first,
        .shift_s = shift_s,
        .arrival_s = draw->users->submit_s[first] + shift_s,
        .person = person,
        .kind = draw->pools->kind[user],
    };
    return 0;
}

/* Append a person and the first round. */
static int add_person(struct draw *draw, uint32_t user, uint32_t first, int64_t shift_s)
{
    struct owner *owner = draw->owner;
    if (loom_grow(&owner->original, owner->persons, &owner->persons_capacity))
        return loom_fail_memory(draw->err);
    owner->original[owner->persons++] = user;
    return add_round(draw, first, shift_s);
}

/* Return the first job of a user in or after a week of the log, which must not be after the last
 * job's week.
 */
static uint32_t position_in_week(const struct loom_users *users, uint32_t user, int64_t week)
{
    uint32_t low = users->first[user], high = users->first[user + 1] - 1;
    LOOM_BISECT(low, high, middle, week_of(users, users->submit_s[middle]) < week);
    return low;
}

struct loom_user_round loom_user_next_round(const struct loom_users *users,
                                            const struct loom_user_round *before,
                                            int64_t earliest_s)
{
    struct loom_user_round again = *before;
    again.first = users->first[before->user];
    int64_t submit_s = users->submit_s[again.first];
    int64_t ahead_s = earliest_s - submit_s;
    int64_t weeks = ahead_s / WEEK_S + (ahead_s % WEEK_S > 0);
    again.shift_s = weeks * WEEK_S;
    again.arrival_s = submit_s + again.shift_s;
    return again;
}

/* ---- how many of each ------------------------------------------------------------------------ */

static double start_weight(const struct draw *draw, uint32_t user)
{
    return draw->rule->weight ? draw->rule->weight[user] : 1;
}

/* Spread a total over a pool in proportion to weights and, for those who are there already, to
 * their weeks. Nothing where no one has any weight. */
static void draw_kind(struct draw *draw, enum loom_user_kind kind, double total, bool by_weeks)
{
    const uint32_t *members = draw->pools->members[kind];
    double sum = 0;
    for (size_t i = 0; i < draw->pools->count[kind]; i++) {
        draw->copies[i] = start_weight(draw, members[i]) *
                          (by_weeks ? (double)weeks_of(draw->users, members[i]) : 1);
        sum += draw->copies[i];
    }
    for (size_t i = 0; i < draw->pools->count[kind]; i++)
        draw->copies[i] = sum > 0 ? total * draw->copies[i] / sum : 0;
}

static uint32_t toss(struct loom_stream *stream, double mean)
{
    double whole = floor(mean);
    return (uint32_t)whole + (loom_stream_uniform(stream) < mean - whole);
}

/* ---- long-term users ------------------------------------------------------------------------- */

static void shuffle(uint32_t *order, size_t n, struct loom_stream *stream)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)loom_stream_below(stream, i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

/* Turn means into whole numbers with the same sum, to within one. */
static void round_copies(struct draw *draw, size_t n, struct loom_stream *stream)
{
    shuffle(draw->order, n, stream);
    double at = loom_stream_uniform(stream);
    for (size_t i = 0; i < n; i++) {
        double *copies = &draw->copies[draw->order[i]];
        double whole = floor(*copies);
        at += *copies - whole;
        bool taken = at >= 1;
        at -= taken;
        *copies = whole + taken;
    }
}

/* Where the jobs of a round from the beginning of the workload on begin; past the last of the user
 * if there are none. Week `week` of the workload is the first of the log. */
static uint32_t first_of_round(const struct loom_users *users, uint32_t user, int64_t week)
{
    if (week_of(users, loom_user_end(users, user)) < -week)
        return users->first[user + 1];
    return week > 0 ? users->first[user] : position_in_week(users, user, -week);
}

/* Return the first week in which a round may begin: no job of the round before reaches into it. */
static int64_t week_after(const struct loom_users *users, uint32_t user, int64_t week)
{
    int64_t active_s = loom_user_end(users, user) - loom_user_begin(users, user);
    return week + active_s / WEEK_S + 1;
}

/* Append all rounds of one person, at least one. The workload begins `start` weeks after the log.
 */
static int add_rounds(struct draw *draw, uint32_t user, double start)
{
    const struct loom_users *users = draw->users;
    int64_t earliest = INT64_MIN;
    int rc = 0;
    for (double begin = -start; !rc; begin += round_weeks(users)) {
        int64_t week = (int64_t)floor(begin);
        week = week > earliest ? week : earliest;
        uint32_t first = first_of_round(users, user, week);
        if (first == users->first[user + 1])
            continue;
        int64_t arrival_s = users->submit_s[first] + week * WEEK_S;
        bool again = earliest > INT64_MIN;
        if (again && (draw->rule->closed || arrival_s >= draw->owner->population.until_s))
            return 0;
        rc = again ? add_round(draw, first, week * WEEK_S)
                   : add_person(draw, user, first, week * WEEK_S);
        earliest = week_after(users, user, week);
    }
    return rc;
}

/* Append copies of one user, spread evenly over the weeks in which they may start. */
static int add_copies(struct draw *draw, uint32_t user, double copies, struct loom_stream *stream)
{
    bool active = draw->rule->start_active;
    double weeks = active ? (double)weeks_of(draw->users, user) : round_weeks(draw->users);
    double start = weeks * loom_stream_uniform(stream);
    int rc = 0;
    for (double copy = 0; !rc && copy < copies; copy++) {
        double at = fmod(start + copy * weeks / copies, weeks);
        rc =
            add_rounds(draw, user, active ? floor(at) + (double)first_week(draw->users, user) : at);
    }
    return rc;
}

static int draw_long_term(struct draw *draw, double total, struct loom_stream *stream)
{
    size_t n = draw->pools->count[LOOM_LONG_TERM];
    draw_kind(draw, LOOM_LONG_TERM, total, false);
    round_copies(draw, n, stream);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = add_copies(draw, draw->pools->members[LOOM_LONG_TERM][i], draw->copies[i], stream);
    return rc;
}

/* ---- temporary users and rare behaviours ----------------------------------------------------- */

/* Append a user from the first job on, in a week of the new workload. */
static int add_temporary(struct draw *draw, uint32_t user, int64_t week)
{
    int64_t shift_s = (week - first_week(draw->users, user)) * WEEK_S;
    return add_person(draw, user, draw->users->first[user], shift_s);
}

/* Draw the users of a kind who start in each later week. */
static int draw_weekly(struct draw *draw, enum loom_user_kind kind, double rate,
                       struct loom_stream *stream)
{
    int64_t span_s = draw->owner->population.until_s - draw->owner->population.begin_s;
    size_t n = draw->pools->count[kind];
    draw_kind(draw, kind, rate, false);
    int rc = 0;
    for (int64_t week = 1; week * WEEK_S < span_s && n > 0 && rate > 0; week++)
        for (size_t i = 0; i < n && !rc; i++)
            for (uint32_t copies = toss(stream, draw->copies[i]); copies > 0 && !rc; copies--)
                rc = add_temporary(draw, draw->pools->members[kind][i], week);
    return rc;
}

/* Draw the temporary users present when the workload begins. */
static int draw_present(struct draw *draw, double total, struct loom_stream *stream)
{
    const struct loom_users *users = draw->users;
    draw_kind(draw, LOOM_TEMPORARY, total, true);
    int rc = 0;
    for (size_t i = 0; i < draw->pools->count[LOOM_TEMPORARY] && !rc; i++) {
        uint32_t user = draw->pools->members[LOOM_TEMPORARY][i];
        uint32_t copies = toss(stream, draw->copies[i]);
        int64_t weeks = weeks_of(users, user);
        int64_t start = (int64_t)loom_stream_below(stream, (uint64_t)weeks);
        for (uint32_t copy = 0; copy < copies && !rc; copy++) {
            int64_t week = first_week(users, user) + (start + copy * weeks / copies) % weeks;
            rc = add_person(draw, user, position_in_week(users, user, week), -week * WEEK_S);
        }
    }
    return rc;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Numbers of users. Of the `arrivals` of a week `rare` are rare behaviours; `weekly` are drawn from
 * the pool as the others. */
struct numbers {
    double long_term, present, arrivals, rare, weekly;
};

static struct numbers numbers_of(const struct draw *draw)
{
    const struct loom_population_rule *rule = draw->rule;
    const struct loom_user_pools *pools = draw->pools;
    double f = rule->load_factor, rare = rule->rare_per_week;
    double long_term = (double)pools->count[LOOM_LONG_TERM];
    bool as_log = rule->arrivals < 0;
    double arrivals = f * (as_log ? loom_temporary_arrivals(draw->users, pools) : rule->arrivals);
    double drawn =
        f * (double)pools->count[LOOM_TEMPORARY] * seen_in_full(pools) / log_weeks(draw->users);
    double regular = arrivals > 0 ? 1 - rare / arrivals : 0;
    return (struct numbers){
        .long_term = f * (rule->long_term < 0 ? long_term : rule->long_term),
        .present = f * (rule->temporary < 0 ? loom_temporary_present(draw->users, pools)
                                            : rule->temporary),
        .arrivals = arrivals,
        .rare = rare,
        .weekly = regular * (as_log ? drawn : arrivals),
    };
}

/* Check the size of the population, which also bounds the loops below and their memory. */
static int check_size(const struct numbers *numbers, const struct draw *draw)
{
    double weeks =
        (double)(draw->owner->population.until_s - draw->owner->population.begin_s) / WEEK_S;
    double persons = numbers->long_term * (1 + weeks / round_weeks(draw->users)) +
                     numbers->present + numbers->arrivals * weeks;
    if (persons < MOST_PERSONS)
        return 0;
    return loom_fail(draw->err, LOOM_ERANGE,
                     "the population would have about %.3g users: ask for fewer weeks or a lower "
                     "load",
                     persons);
}

/* Check the number of rare behaviours: two copies in a week would submit the same jobs in the same
 * seconds. */
static int check_rare(const struct numbers *numbers, struct draw *draw)
{
    size_t n = draw->pools->count[LOOM_RARE];
    if (numbers->rare > 0 && n == 0)
        return loom_fail(draw->err, LOOM_EUSAGE,
                         "rare behaviours are to start each week, but none is named");
    draw_kind(draw, LOOM_RARE, numbers->rare, false);
    for (size_t i = 0; i < n; i++)
        if (draw->copies[i] > 1 + 1e-9)
            return loom_fail(
                draw->err, LOOM_ERANGE,
                "%g rare behaviours a week are too many for the %zu named: none starts "
                "twice in a week; let fewer start or name more",
                numbers->rare, n);
    if (numbers->rare > numbers->arrivals)
        return loom_fail(draw->err, LOOM_ERANGE,
                         "%g rare behaviours a week are more than the %g new users a week whose "
                         "place they take; let more arrive",
                         numbers->rare, numbers->arrivals);
    return 0;
}

static int check_population(const struct numbers *numbers, struct draw *draw)
{
    const size_t *count = draw->pools->count;
    int rc = check_rare(numbers, draw);
    if (rc)
        return rc;
    if (count[LOOM_LONG_TERM] + count[LOOM_TEMPORARY] == 0)
        return loom_fail_field(draw->err, LOOM_EDATA, "long_term_s edge_s",
                               "no user can be resampled: %zu %s of this log of %.1f weeks %s "
                               "seen only near its beginning or end; lower long_term_s and edge_s, "
                               "or take a longer log",
                               count[LOOM_DISCARDED], count[LOOM_DISCARDED] == 1 ? "user" : "users",
                               log_weeks(draw->users), count[LOOM_DISCARDED] == 1 ? "is" : "are");
    return check_size(numbers, draw);
}

static int draw_all(struct draw *draw, uint64_t seed, uint64_t replication)
{
    struct numbers numbers = numbers_of(draw);
    struct loom_stream stream;
    int rc = check_population(&numbers, draw);
    if (rc)
        return rc;
    loom_stream_init(&stream, seed, replication, "population.long-term");
    rc = draw_long_term(draw, numbers.long_term, &stream);
    if (rc)
        return rc;
    loom_stream_init(&stream, seed, replication, "population.present");
    rc = draw_present(draw, numbers.present, &stream);
    if (rc)
        return rc;
    loom_stream_init(&stream, seed, replication, "population.newcomers");
    rc = draw_weekly(draw, LOOM_TEMPORARY, numbers.weekly, &stream);
    if (rc)
        return rc;
    loom_stream_init(&stream, seed, replication, "population.rare");
    return draw_weekly(draw, LOOM_RARE, numbers.rare, &stream);
}

static int by_arrival(const void *a, const void *b)
{
    const struct loom_user_round *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(x->arrival_s, y->arrival_s),
                                 LOOM_COMPARE(x->person, y->person));
}

static int set_period(struct owner *owner, const struct loom_users *users,
                      const struct loom_population_rule *rule, struct loom_error *err)
{
    int64_t span_s;
    if (users->n == 0)
        return loom_fail(err, LOOM_EDATA, "no job has a user ID, so there is no one to resample");
    if (users->begin_s < -FURTHEST_S || users->end_s > FURTHEST_S)
        return loom_fail(err, LOOM_ERANGE, "submit times are too far from 0 to be moved");
    span_s = users->end_s - users->begin_s;
    if (span_s / WEEK_S >= MOST_WEEKS || rule->length_s / WEEK_S > MOST_WEEKS)
        return loom_fail(err, LOOM_ERANGE,
                         "the log or the workload to be made lasts more than %d weeks: clean it or "
                         "ask for less",
                         MOST_WEEKS);
    owner->population.begin_s = users->begin_s;
    owner->population.until_s =
        loom_saturated_add(users->begin_s, rule->length_s > 0 ? rule->length_s : span_s + 1);
    return 0;
}

static int population_make(struct draw *draw, uint64_t seed, uint64_t replication)
{
    int rc = set_period(draw->owner, draw->users, draw->rule, draw->err);
    if (rc)
        return rc;
    draw->copies = malloc((draw->users->count + 1) * sizeof *draw->copies);
    draw->order = malloc((draw->users->count + 1) * sizeof *draw->order);
    rc = draw->copies && draw->order ? draw_all(draw, seed, replication)
                                     : loom_fail_memory(draw->err);
    free(draw->copies);
    free(draw->order);
    return rc;
}

static int check_population_rule(const struct loom_population_rule *rule, struct loom_error *err)
{
    const struct {
        const char *field;
        double value;
    } numbers[] = {{"long_term", rule->long_term},
                   {"temporary", rule->temporary},
                   {"arrivals", rule->arrivals},
                   {"rare_per_week", rule->rare_per_week}};
    if (!(rule->load_factor > 0 && isfinite(rule->load_factor)))
        return loom_fail_field(err, LOOM_ERANGE, "load_factor",
                               "load_factor must be above 0 and finite, not %g", rule->load_factor);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isfinite(numbers[i].value))
            return loom_fail_field(err, LOOM_ERANGE, numbers[i].field, "%s must be finite, not %g",
                                   numbers[i].field, numbers[i].value);
    if (rule->length_s < 0)
        return loom_fail_field(err, LOOM_ERANGE, "length_s",
                               "length_s must be at least 0, not %" PRId64, rule->length_s);
    return 0;
}

int loom_population_create(struct loom_population **out, const struct loom_users *users,
                           const struct loom_user_pools *pools,
                           const struct loom_population_rule *rule, uint64_t seed,
                           uint64_t replication, struct loom_error *err)
{
    int rc = check_population_rule(rule, err);
    if (rc)
        return rc;
    struct owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        return loom_fail_memory(err);
    struct draw draw = {owner, users, pools, rule, NULL, NULL, err};
    rc = population_make(&draw, seed, replication);
    if (rc) {
        loom_population_destroy(&owner->population);
        return rc;
    }
    if (owner->n > 0)
        qsort(owner->rounds, owner->n, sizeof *owner->rounds, by_arrival);
    owner->population.persons = owner->persons;
    owner->population.original = owner->original;
    owner->population.n = owner->n;
    owner->population.rounds = owner->rounds;
    *out = &owner->population;
    return 0;
}

void loom_population_destroy(struct loom_population *population)
{
    struct owner *owner = (struct owner *)population;
    if (!owner)
        return;
    free(owner->rounds);
    free(owner->original);
    free(owner);
}
