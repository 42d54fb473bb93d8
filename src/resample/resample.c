/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resampling: a new workload from the users of a log, or of several (Zakay, chapter 3).
 *
 * loom_population_create draws the users; their jobs are picked from each one's start to the end of
 * the workload. Several logs are mixed (section 6.5.1) by drawing a population of each, with its
 * share of the load factor, over the same weeks; Mondays fall on Mondays by the clocks of both
 * machines. Sizes are scaled to one machine (loom_scale_size): about the same share of it; powers
 * of two and serial jobs stay so.
 *
 * Shaking (section 6.5.3) shifts jobs, whole sessions, or all jobs of a user by a random time.
 * Single jobs may overtake each other, as in the original method; sessions of a user do not.
 */
#include "resample/resample.h"
#include "base/search.h"

#include "base/civil.h"
#include "base/pages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WEEK_S = 7 * LOOM_DAY_S };

struct loom_resample_rule loom_resample_rule(void)
{
    return (struct loom_resample_rule){.pools = loom_user_rule(),
                                       .population = loom_population_rule()};
}

/* ---- the logs -------------------------------------------------------------------------------- */

/* Seconds of the local week at the first submission. */
static int64_t week_phase(const struct loom_resample_log *source)
{
    int64_t begin_s = source->users->begin_s;
    return (source->wall_s ? begin_s : loom_zone_local(source->zone, begin_s)) % WEEK_S;
}

/* Align a log's weeks with the first log's. Its population begins within the week before the
 * workload does, where the first submissions fall on different times of the week. */
static void align(struct loom_resampler *resampler, struct loom_resample_log *source)
{
    int64_t apart_s = week_phase(&resampler->sources[0]) - week_phase(source);
    source->lead_s = (apart_s % WEEK_S + WEEK_S) % WEEK_S;
    source->frame_s = resampler->begin_s - source->lead_s - source->users->begin_s;
}

static int32_t highest(const int32_t *column, size_t n)
{
    int32_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = column[i] > most ? column[i] : most;
    return most;
}

/* Set the offsets of each log's numbers: they follow the previous log's. */
static int separate(struct loom_resampler *resampler, size_t log, struct loom_error *err)
{
    const struct loom_resample_log *before = &resampler->sources[log - 1];
    const struct loom_jobs *jobs = loom_trace_jobs(before->log);
    const int32_t *const columns[LOOM_NAME_KINDS] = {
        [LOOM_GROUP] = jobs->group,
        [LOOM_EXECUTABLE] = jobs->executable,
        [LOOM_QUEUE] = jobs->queue,
        [LOOM_PARTITION] = jobs->partition,
    };
    for (int kind = 0; kind < LOOM_NAME_KINDS; kind++) {
        int64_t offset = before->offset[kind];
        if (columns[kind])
            offset += (int64_t)highest(columns[kind], jobs->n) + 1;
        if (offset > INT32_MAX / 2)
            return loom_fail(
                err, LOOM_ERANGE,
                "the groups, queues or executables of these logs have numbers too high "
                "to be mixed");
        resampler->sources[log].offset[kind] = (int32_t)offset;
    }
    return 0;
}

/* Find the columns with a single value. */
static void find_constants(struct loom_resampler *resampler)
{
    const struct loom_jobs *first = loom_trace_jobs(resampler->sources[0].log);
#define X(name, type, what)                                                            \
    {                                                                                  \
        bool same = true;                                                              \
        for (size_t k = 0; k < resampler->n && same; k++) {                            \
            const struct loom_jobs *jobs = loom_trace_jobs(resampler->sources[k].log); \
            for (size_t i = 0; i < jobs->n && same; i++)                               \
                same = memcmp(&jobs->name[i], &first->name[0], sizeof(type)) == 0;     \
        }                                                                              \
        resampler->constant[LOOM_COLUMN_##name] = same;                                \
    }
    LOOM_COLUMNS(X)
#undef X
}

static int set_frame(struct loom_resampler *resampler, struct loom_error *err)
{
    const struct loom_resample_rule *rule = &resampler->rule;
    const struct loom_users *users = resampler->sources[0].users;
    int64_t procs = rule->procs > 0 ? rule->procs : resampler->sources[0].procs;
    int64_t span_s = loom_saturated_subtract(users->end_s, users->begin_s);
    resampler->procs = procs < INT32_MAX ? (int32_t)procs : INT32_MAX;
    resampler->begin_s = users->begin_s;
    if (rule->population.length_s > 0 && !rule->as_is)
        span_s = rule->population.length_s - 1;
    resampler->until_s = loom_saturated_add(loom_saturated_add(users->begin_s, span_s), 1);
    find_constants(resampler);
    int rc = 0;
    for (size_t i = 1; i < resampler->n && !rc; i++) {
        align(resampler, &resampler->sources[i]);
        rc = separate(resampler, i, err);
    }
    return rc;
}

static int check_resample_rule(const struct loom_resample_rule *rule, struct loom_error *err)
{
    if (rule->procs < 0 || rule->procs > INT32_MAX)
        return loom_fail_field(err, LOOM_ERANGE, "procs",
                               "procs must be between 0 and %d, not %" PRId64, INT32_MAX,
                               rule->procs);
    if (rule->population.length_s < 0)
        return loom_fail_field(err, LOOM_ERANGE, "length_s",
                               "length_s must be at least 0, not %" PRId64,
                               rule->population.length_s);
    if (rule->shake_s < 0)
        return loom_fail_field(err, LOOM_ERANGE, "shake_s",
                               "shake_s must be at least 0, not %" PRId64, rule->shake_s);
    if (!(rule->locality >= -1 && rule->locality <= 1))
        return loom_fail_field(err, LOOM_ERANGE, "locality",
                               "locality must be between -1 and 1, not %g", rule->locality);
    return 0;
}

static int take_logs(struct loom_resampler *resampler, const struct loom_trace *const *logs,
                     size_t n, struct loom_error *err)
{
    const struct loom_resample_rule *rule = &resampler->rule;
    resampler->sources = calloc(n, sizeof *resampler->sources);
    resampler->rare = malloc((rule->n_rare + 1) * sizeof *resampler->rare);
    if (!resampler->sources || !resampler->rare)
        return loom_fail_memory(err);
    if (rule->n_rare > 0)
        memcpy(resampler->rare, rule->rare, rule->n_rare * sizeof *resampler->rare);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = loom_resample_log_create(&resampler->sources[i], logs[i], rule, rule->rare,
                                      i == 0 ? rule->n_rare : 0, err);
        resampler->n = i + 1;
    }
    return rc;
}

int loom_resampler_create(struct loom_resampler **out, const struct loom_trace *const *logs,
                          size_t n, const struct loom_resample_rule *rule, struct loom_error *err)
{
    if (!logs || n == 0)
        return loom_fail(err, LOOM_EUSAGE, "there is no log to resample; give at least one");
    int rc = check_resample_rule(rule, err);
    if (rc)
        return rc;
    struct loom_resampler *resampler = calloc(1, sizeof *resampler);
    if (!resampler)
        return loom_fail_memory(err);
    resampler->rule = *rule;
    rc = take_logs(resampler, logs, n, err);
    if (!rc)
        rc = set_frame(resampler, err);
    if (rc)
        loom_resampler_destroy(resampler);
    else
        *out = resampler;
    return rc;
}

void loom_resampler_destroy(struct loom_resampler *resampler)
{
    if (!resampler)
        return;
    for (size_t i = 0; i < resampler->n; i++)
        loom_resample_log_free(&resampler->sources[i]);
    free(resampler->sources);
    free(resampler->rare);
    free(resampler);
}

void loom_resampler_pools(const struct loom_resampler *resampler, size_t count[LOOM_USER_KINDS],
                          size_t *without_user)
{
    memset(count, 0, LOOM_USER_KINDS * sizeof *count);
    *without_user = 0;
    for (size_t i = 0; i < resampler->n; i++) {
        const struct loom_resample_log *source = &resampler->sources[i];
        for (int kind = 0; kind < LOOM_USER_KINDS; kind++)
            count[kind] += source->pools->count[kind];
        *without_user += source->users->n_jobs - source->users->n;
    }
}

/* ---- a workload in the making ---------------------------------------------------------------- */

/* A struct loom_resampled and the data to build it. */
struct owner {
    struct loom_resampled resampled;
    struct loom_person *persons;
    const struct loom_resampler *resampler;
    struct loom_picks picks;
    struct loom_stream shakes;
    uint64_t seed, replication;
};

/* Return the position after the last job before a time of the log. */
static uint32_t position_before(const struct loom_users *users, uint32_t low, uint32_t high,
                                int64_t until_s)
{
    size_t n = low < high ? high - low : 0;
    return low + (uint32_t)loom_lower_bound(users->submit_s + low, n, until_s);
}

/* Find the jobs of a round within the workload: positions low .. high - 1. */
static void find_jobs(uint32_t *low, uint32_t *high, const struct loom_resampler *resampler,
                      const struct loom_resample_log *source, const struct loom_user_round *one)
{
    int64_t move_s = one->shift_s + source->frame_s;
    uint32_t end = source->users->first[one->user + 1];
    *low = position_before(source->users, one->first, end, resampler->begin_s - move_s);
    *high = position_before(source->users, *low, end, resampler->until_s - move_s);
}

/* Draw a shift from -limit to limit, both included. */
static int64_t shake(struct owner *owner)
{
    int64_t limit_s = owner->resampler->rule.shake_s;
    return (int64_t)loom_stream_below(&owner->shakes, 2 * (uint64_t)limit_s + 1) - limit_s;
}

static bool begins_session(const struct loom_resample_log *source, uint32_t position)
{
    const uint32_t *of_job = source->sessions->of_job, *job = source->users->job;
    return position == 0 || of_job[job[position]] != of_job[job[position - 1]];
}

static int64_t within(const struct loom_resampler *resampler, int64_t time_s)
{
    return time_s < resampler->begin_s    ? resampler->begin_s
           : time_s >= resampler->until_s ? resampler->until_s - 1
                                          : time_s;
}

/* Shift the jobs just picked. No job leaves the workload. */
static void shake_picks(struct owner *owner, const struct loom_resample_log *source,
                        uint32_t position, struct loom_pick *picks, size_t n)
{
    enum loom_shake how = owner->resampler->rule.shake;
    int64_t move_s = shake(owner), before_s = INT64_MIN;
    for (size_t i = 0; i < n; i++, position++) {
        bool opens = how == LOOM_SHAKE_SESSION && i > 0 && begins_session(source, position);
        if (how == LOOM_SHAKE_JOB || opens)
            move_s = shake(owner);
        if (opens && picks[i].submit_s + move_s < before_s)
            move_s = before_s - picks[i].submit_s;
        picks[i].submit_s = within(owner->resampler, picks[i].submit_s + move_s);
        before_s = picks[i].submit_s;
    }
}

/* Pick the jobs of one round. */
static void pick_jobs(struct owner *owner, const struct loom_resample_log *source,
                      const struct loom_user_round *one, struct loom_person *person,
                      uint32_t number)
{
    const struct loom_users *users = source->users;
    int64_t move_s = one->shift_s + source->frame_s;
    uint32_t low, high;
    find_jobs(&low, &high, owner->resampler, source, one);
    struct loom_pick *picks = owner->picks.items + owner->picks.n;
    for (uint32_t i = low; i < high; i++)
        picks[i - low] = (struct loom_pick){users->submit_s[i] + move_s, users->job[i], number};
    if (owner->resampler->rule.shake != LOOM_SHAKE_NONE && high > low)
        shake_picks(owner, source, low, picks, high - low);
    person->jobs += high - low;
    owner->picks.n += high - low;
}

/* ---- populations ----------------------------------------------------------------------------- */

/* Make every user of the log appear once, unchanged. */
static int draw_as_is(struct loom_user_round **out, size_t *n,
                      const struct loom_resample_log *source, struct loom_error *err)
{
    const struct loom_users *users = source->users;
    *out = malloc((users->count + 1) * sizeof **out);
    if (!*out)
        return loom_fail_memory(err);
    *n = users->count;
    for (uint32_t user = 0; user < users->count; user++)
        (*out)[user] = (struct loom_user_round){
            .user = user,
            .first = users->first[user],
            .arrival_s = loom_user_begin(users, user),
            .person = user,
            .kind = source->pools->kind[user],
        };
    return 0;
}

static struct loom_population_rule rule_of(const struct loom_resampler *resampler, size_t log)
{
    const struct loom_resample_log *source = &resampler->sources[log];
    struct loom_population_rule rule = resampler->rule.population;
    rule.weight = source->weight;
    rule.load_factor /= (double)resampler->n;
    rule.length_s = resampler->until_s - resampler->begin_s + source->lead_s;
    rule.rare_per_week = log == 0 ? rule.rare_per_week : 0;
    rule.closed = false;
    return rule;
}

/* Allocate room for the jobs of all rounds. */
static int reserve_picks(struct owner *owner, const struct loom_resample_log *source,
                         const struct loom_user_round *rounds, size_t n, struct loom_error *err)
{
    size_t wanted = owner->picks.n;
    for (size_t i = 0; i < n; i++) {
        uint32_t low, high;
        find_jobs(&low, &high, owner->resampler, source, &rounds[i]);
        wanted += high - low;
    }
    if (wanted > UINT32_MAX)
        return loom_fail(err, LOOM_ERANGE,
                         "more than %" PRIu32 " jobs are more than a trace can hold", UINT32_MAX);
    struct loom_pick *items = loom_pages_alloc((wanted + 1) * sizeof *items);
    if (!items)
        return loom_fail_memory(err);
    if (owner->picks.n > 0)
        memcpy(items, owner->picks.items, owner->picks.n * sizeof *items);
    free(owner->picks.items);
    owner->picks.items = items;
    return 0;
}

/* Number the new persons with the same original. */
static int number_copies(struct loom_person *persons, size_t n, const uint32_t *original,
                         const struct loom_resampler *resampler, size_t log, struct loom_error *err)
{
    const struct loom_resample_log *source = &resampler->sources[log];
    uint32_t *copies = calloc(source->users->count + 1, sizeof *copies);
    if (!copies)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        uint32_t user = original ? original[i] : (uint32_t)i;
        persons[i] = (struct loom_person){
            .log = (uint32_t)log,
            .original = loom_resample_log_original(source, user, resampler),
            .kind = source->pools->kind[user],
            .copy = ++copies[user],
            .arrival_s = INT64_MAX,
        };
    }
    free(copies);
    return 0;
}

static int pick_all(struct owner *owner, size_t log, const struct loom_user_round *rounds, size_t n,
                    const uint32_t *original, size_t n_persons, struct loom_error *err)
{
    const struct loom_resample_log *source = &owner->resampler->sources[log];
    size_t before = owner->resampled.persons;
    struct loom_person *persons =
        realloc(owner->persons, (before + n_persons + 1) * sizeof *persons);
    if (!persons)
        return loom_fail_memory(err);
    owner->persons = persons;
    int rc = number_copies(persons + before, n_persons, original, owner->resampler, log, err);
    if (!rc)
        rc = reserve_picks(owner, source, rounds, n, err);
    if (rc)
        return rc;
    owner->resampled.persons += n_persons;
    for (size_t i = 0; i < n; i++) {
        uint32_t person = (uint32_t)before + rounds[i].person;
        pick_jobs(owner, source, &rounds[i], &persons[person], person);
    }
    return 0;
}

static int pick_log(struct owner *owner, size_t log, struct loom_error *err)
{
    const struct loom_resample_log *source = &owner->resampler->sources[log];
    if (owner->resampler->rule.as_is) {
        struct loom_user_round *everyone = NULL;
        size_t n = 0;
        int rc = draw_as_is(&everyone, &n, source, err);
        if (!rc)
            rc = pick_all(owner, log, everyone, n, NULL, n, err);
        free(everyone);
        return rc;
    }
    struct loom_population_rule rule = rule_of(owner->resampler, log);
    struct loom_population *population = NULL;
    /* Give each log replications of its own, so that draws differ. */
    uint64_t replication = owner->replication * owner->resampler->n + log;
    int rc = loom_population_create(&population, source->users, source->pools, &rule, owner->seed,
                                    replication, err);
    if (!rc)
        rc = pick_all(owner, log, population->rounds, population->n, population->original,
                      population->persons, err);
    loom_population_destroy(population);
    return rc;
}

/* Convert local times to the log's seconds, keeping the order: when clocks go forward, a local hour
 * does not exist. */
static void leave_wall_clock(struct loom_picks *picks, const struct loom_resample_log *first)
{
    int64_t latest_s = INT64_MIN;
    for (size_t i = 0; i < picks->n && first->wall_s; i++) {
        int64_t log_s = loom_zone_log(first->zone, picks->items[i].submit_s);
        latest_s = log_s > latest_s ? log_s : latest_s;
        picks->items[i].submit_s = latest_s;
    }
}

static void find_arrivals(struct owner *owner)
{
    for (size_t i = 0; i < owner->picks.n; i++) {
        const struct loom_pick *pick = &owner->picks.items[i];
        struct loom_person *person = &owner->persons[pick->person];
        if (pick->submit_s < person->arrival_s)
            person->arrival_s = pick->submit_s;
    }
}

static int make_workload(struct owner *owner, struct loom_error *err)
{
    const struct loom_resampler *resampler = owner->resampler;
    int rc = 0;
    loom_stream_init(&owner->shakes, owner->seed, owner->replication, "resample.shake");
    for (size_t log = 0; log < resampler->n && !rc; log++)
        rc = pick_log(owner, log, err);
    if (!rc)
        rc = loom_picks_sort(&owner->picks, err);
    if (!rc && resampler->rule.locality != 0) {
        struct loom_stream stream;
        loom_stream_init(&stream, owner->seed, owner->replication, "resample.locality");
        rc = loom_picks_relocate(&owner->picks, resampler, owner->persons, &stream, err);
    }
    if (rc)
        return rc;
    leave_wall_clock(&owner->picks, &resampler->sources[0]);
    find_arrivals(owner);
    return loom_picks_trace(&owner->resampled.trace, &owner->picks, owner->persons,
                            owner->resampled.persons, resampler, err);
}

int loom_resample(struct loom_resampled **out, const struct loom_resampler *resampler,
                  uint64_t seed, uint64_t replication, struct loom_error *err)
{
    struct owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        return loom_fail_memory(err);
    owner->resampler = resampler;
    owner->seed = seed;
    owner->replication = replication;
    int rc = make_workload(owner, err);
    free(owner->picks.items);
    owner->picks.items = NULL;
    owner->resampled.person = owner->persons;
    owner->resampled.begin_s = resampler->begin_s;
    owner->resampled.until_s = resampler->until_s;
    if (rc)
        loom_resampled_destroy(&owner->resampled);
    else
        *out = &owner->resampled;
    return rc;
}

void loom_resampled_destroy(struct loom_resampled *resampled)
{
    struct owner *owner = (struct owner *)resampled;
    if (!owner)
        return;
    loom_trace_destroy(owner->resampled.trace);
    free(owner->persons);
    free(owner);
}
