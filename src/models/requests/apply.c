/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modal model of requested times, applied to generated jobs.
 *
 * Users ask for what they asked for before as long as the accounts of their jobs' classes allow
 * (requests/accounts.h). If not, or now and then, they take that of their own values of which the
 * most is left, or a new one.
 *
 * Jobs are gone through in order of submission. A user's request is made when the bundle is over,
 * which shows in the user's next job; those still open at the end follow by first appearance.
 */
#include "base/draw.h"
#include "models/requests/accounts.h"
#include "models/requests/urn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- applying -------------------------------------------------------------------------------- */

static bool can_ask(int64_t run_s, int32_t procs)
{
    return run_s >= 0 && procs > 0;
}

static void ask_alone(const struct loom_urn *urn, struct loom_draft *draft, size_t job,
                      struct loom_stream *stream)
{
    if (!can_ask(draft->run_s[job], draft->procs[job]))
        return;
    struct loom_asking asking = loom_urn_asking(urn, draft->procs[job], draft->run_s[job]);
    size_t place = loom_urn_draw_place(urn, asking, stream);
    draft->request_s[job] = loom_urn_draw_value(urn, asking, place, stream).s;
}

/* A value that a user asks for, and how often the user may yet come back to it. */
struct own {
    int64_t s;
    uint32_t slot, tail, turns;
};

/* How many of them users have; new ones take the places of old ones. */
enum { VALUES = 8 };

/* A user, with the bundle that may not be over yet and the last request of those before it. Until a
 * job has its request, the place of that holds the next job of the bundle. What the bundle's end
 * depends on is kept here, so that a bundle of one job, as most are, is not looked up again. */
struct asker {
    int32_t user;
    int32_t procs, procs_before; /* of the open bundle, and of the last one that is over */
    uint32_t first, last;        /* jobs of the open bundle */
    uint32_t n, values;
    struct loom_asking asking; /* the longest job of the open bundle */
    int64_t until_s;           /* a job submitted later is not of the open bundle */
    struct own own[VALUES];    /* the first is the last that was asked for, if there are values */
};

#define NO_JOB (-1)
#define ANY_PLACE SIZE_MAX

struct office {
    const struct loom_urn *urn;
    struct loom_generation *generation;
    struct loom_requests requests;
    struct loom_stream *stream;
    struct loom_ledger ledger;
    uint64_t keep_same, keep_other, keep_in_bundle, novelty; /* chances */
    int64_t *next;        /* by job: draft.request_s, see above */
    struct asker *askers; /* in order of first appearance */
    size_t n, capacity;
    uint32_t *places; /* of askers, 1 and more, by a hash of the user; 0 where there is none */
    unsigned places_bits;
};

/* ---- one request ----------------------------------------------------------------------------- */

/* Is a request to be as the one before it? Else it is another, if the accounts allow any, or in any
 * case: one of the user's own, or a new one. */
struct manner {
    bool again, other, novel;
};

/* Two chances by one draw, each with 32 bits: a chance is how many of their 2^32 values mean yes.
 */
static uint64_t chance(double probability)
{
    return (uint64_t)ceil(probability * 0x1p32);
}

static bool happens(uint64_t bits, uint64_t chance)
{
    return (uint32_t)bits < chance;
}

static size_t own_place(struct loom_asking asking, const struct own *own)
{
    return loom_urn_place(asking, (struct loom_asked){own->s, own->slot, own->tail});
}

static void bring_forward(struct asker *asker, size_t i)
{
    struct own last = asker->own[0];
    asker->own[0] = asker->own[i];
    asker->own[i] = last;
}

/* A number as a whole one that is greater where it is, of all but its last bits, and tells i: so
 * the greatest of several comes without branches, every second of which would be missed. 0 or less
 * is not above LAST_BITS. */
enum { LAST_BITS = VALUES - 1 };

static int64_t ranked(double number, size_t i)
{
    int64_t rank;
    memcpy(&rank, &number, sizeof rank);
    return (rank & ~(int64_t)LAST_BITS) | (LAST_BITS - (int64_t)i);
}

/* Which of the user's own values, but for the last, has the most left; 0 if there is none. */
static size_t find_richest(const struct loom_accounts *accounts, const struct asker *asker,
                           struct loom_asking asking)
{
    int64_t most = 0;
    for (size_t i = 1; i < asker->values; i++) {
        size_t place = own_place(asking, &asker->own[i]);
        int64_t rank = ranked(loom_accounts_left(accounts, place), i);
        most = rank > most ? rank : most;
    }
    return most > LAST_BITS ? LAST_BITS - ((size_t)most & LAST_BITS) : 0;
}

/* Is this place the head that the user asked for last? Then its value need not be looked up. */
static bool is_last_head(const struct asker *asker, size_t last, size_t place)
{
    return (place == last) & (asker->own[0].slot % 2 == 1);
}

/* A value by the shares, but for the last one, whose place is known. After so many draws that the
 * accounts do not allow, that of which the most is left, of all places or but for one. */
static struct loom_asked draw_new(const struct office *office, const struct asker *asker,
                                  struct loom_asking asking, size_t last, size_t but)
{
    enum { MOST_TRIES = 8 };
    const struct loom_urn *urn = office->urn;
    const struct loom_accounts *accounts = loom_ledger_row(&office->ledger, asking.row);
    for (int i = 0; i < MOST_TRIES; i++) {
        size_t place = loom_urn_draw_place(urn, asking, office->stream);
        if (is_last_head(asker, last, place) || !loom_accounts_allow(accounts, place))
            continue;
        struct loom_asked asked = loom_urn_draw_value(urn, asking, place, office->stream);
        if (asked.s != asker->own[0].s)
            return asked;
        loom_urn_put_back(urn, asked.slot, asked.tail);
    }
    size_t richest = loom_accounts_richest(accounts, but);
    return loom_urn_draw_value(urn, asking, richest, office->stream);
}

/* Where a value is among the user's own; elsewhere if it is not. */
static size_t find_own(const struct asker *asker, int64_t asked_s, size_t elsewhere)
{
    size_t at = elsewhere;
    for (size_t i = 0; i < asker->values; i++)
        at = asker->own[i].s == asked_s ? i : at;
    return at;
}

/* Take a new value up, in place of another of the user's own if it is not one of them already. A
 * card that is not used up goes back: what is left of it is as much as a new one has. */
static void take_up(const struct office *office, struct asker *asker, struct loom_asked asked,
                    size_t instead)
{
    size_t i = find_own(asker, asked.s, instead);
    struct own *own = &asker->own[i];
    asker->values += i == asker->values;
    if (own->turns > 0)
        loom_urn_put_back(office->urn, own->slot, own->tail);
    uint32_t turns = loom_urn_turns(office->urn, asked.tail, office->stream);
    *own = (struct own){asked.s, asked.slot, asked.tail, turns};
    bring_forward(asker, i);
}

/* Come back to one of the user's own values; if it is used up, take another of the same place, but
 * not the last. */
static void come_back(const struct office *office, struct asker *asker, struct loom_asking asking,
                      size_t i)
{
    struct own *own = &asker->own[i];
    if (own->turns > 0) {
        own->turns--;
        bring_forward(asker, i);
        return;
    }
    size_t place = own_place(asking, own);
    struct loom_asked next = loom_urn_draw_value(office->urn, asking, place, office->stream);
    if (next.s != asker->own[0].s) {
        take_up(office, asker, next, i);
    } else {
        loom_urn_put_back(office->urn, next.slot, next.tail);
        bring_forward(asker, i);
    }
}

/* Have the user ask for a value, which is the first of the user's own then. Returns the place that
 * it counts for. */
static inline size_t ask(const struct office *office, struct asker *asker,
                         struct loom_asking asking, const struct manner *manner)
{
    const struct loom_accounts *accounts = loom_ledger_row(&office->ledger, asking.row);
    size_t last = own_place(asking, &asker->own[0]);
    if (manner->again & loom_accounts_allow(accounts, last))
        return last;
    size_t own = manner->novel ? 0 : find_richest(accounts, asker, asking);
    if (own > 0) {
        come_back(office, asker, asking, own);
    } else {
        struct loom_asked asked =
            draw_new(office, asker, asking, last, manner->other ? last : ANY_PLACE);
        bool room = asker->values < VALUES;
        take_up(office, asker, asked,
                room ? asker->values : loom_stream_below(office->stream, VALUES));
    }
    return own_place(asking, &asker->own[0]);
}

/* ---- bundles --------------------------------------------------------------------------------- */

/* Give jobs the request, from first until end. Returns how many it counts for: one that is not
 * enough for the longest counts for the jobs that it fails, as in fitting. */
static size_t grant(const struct office *office, int64_t first, int64_t end, int64_t asked_s,
                    bool enough)
{
    struct loom_draft *draft = &office->generation->draft;
    size_t jobs = 0;
    for (int64_t job = first, next; job != end; job = next) {
        next = office->next[job];
        jobs += enough || draft->run_s[job] > asked_s;
        draft->request_s[job] = can_ask(draft->run_s[job], draft->procs[job]) ? asked_s : -1;
    }
    return jobs;
}

/* One request for the jobs from first until end. */
static void ask_once(const struct office *office, struct asker *asker, int64_t first, int64_t end,
                     struct loom_asking asking, const struct manner *manner)
{
    size_t place = ask(office, asker, asking, manner);
    bool enough = loom_urn_enough(asking, place);
    size_t jobs = grant(office, first, end, asker->own[0].s, enough);
    loom_accounts_charge(loom_ledger_row(&office->ledger, asking.row), place, (double)jobs);
}

/* The same for a bundle of one. */
static void ask_for_one(const struct office *office, struct asker *asker,
                        const struct manner *manner)
{
    struct loom_asking asking = asker->asking;
    size_t place = ask(office, asker, asking, manner);
    int64_t asked_s = asker->own[0].s;
    bool counts = loom_urn_enough(asking, place) || asking.run_s > asked_s;
    bool can = can_ask(asking.run_s, asker->procs);
    office->generation->draft.request_s[asker->first] = can ? asked_s : -1;
    loom_accounts_charge(loom_ledger_row(&office->ledger, asking.row), place, counts);
}

/* Several requests for one bundle, each other than the one before. */
static void ask_for_parts(const struct office *office, struct asker *asker, struct manner manner)
{
    const struct loom_urn *urn = office->urn;
    const int64_t *run_s = office->generation->draft.run_s;
    uint64_t until_change = 1 + loom_stream_below(office->stream, asker->n - 1);
    int64_t first = asker->first, longest_s = run_s[first];
    for (int64_t job = office->next[first]; job != NO_JOB; job = office->next[job]) {
        uint64_t bits = loom_draw_u64(office->stream);
        if (--until_change == 0 || !happens(bits >> 32, office->keep_in_bundle)) {
            ask_once(office, asker, first, job, loom_urn_asking(urn, asker->procs, longest_s),
                     &manner);
            manner = (struct manner){.other = true, .novel = happens(bits, office->novelty)};
            first = job;
            longest_s = run_s[job];
        }
        longest_s = run_s[job] > longest_s ? run_s[job] : longest_s;
    }
    ask_once(office, asker, first, NO_JOB, loom_urn_asking(urn, asker->procs, longest_s), &manner);
}

static void close_bundle(const struct office *office, struct asker *asker)
{
    bool same = asker->procs == asker->procs_before;
    uint64_t keep = same ? office->keep_same : office->keep_other;
    uint64_t bits = loom_draw_u64(office->stream);
    bool again = (asker->values > 0) & happens(bits >> 32, keep);
    struct manner manner = {.again = again, .novel = happens(bits, office->novelty)};
    if (asker->n == 1)
        ask_for_one(office, asker, &manner);
    else if (loom_draw_uniform(office->stream) >= office->urn->model->whole_bundles)
        ask_for_parts(office, asker, manner);
    else
        ask_once(office, asker, asker->first, NO_JOB, asker->asking, &manner);
    asker->procs_before = asker->procs;
    asker->n = 0;
}

static void take_job(struct office *office, struct asker *asker, uint32_t job)
{
    const struct loom_draft *draft = &office->generation->draft;
    int64_t run_s = draft->run_s[job], submit_s = draft->submit_s[job];
    if (asker->n > 0 &&
        (submit_s > asker->until_s || !loom_requests_follow(&office->requests, asker->last, job)))
        close_bundle(office, asker);
    bool begins = asker->n++ == 0;
    if (begins) {
        asker->first = job;
        asker->procs = draft->procs[job];
    } else {
        office->next[asker->last] = job;
    }
    if (begins || run_s > asker->asking.run_s)
        asker->asking = loom_urn_asking(office->urn, asker->procs, run_s);
    office->next[job] = NO_JOB;
    asker->last = job;
    asker->until_s = loom_saturated_add(submit_s, LOOM_BAG_DELTA_S);
}

/* ---- users ----------------------------------------------------------------------------------- */

/* Where a user's place is, or is to be. */
static uint32_t *requests_place_of(const struct office *office, int32_t user)
{
    size_t mask = ((size_t)1 << office->places_bits) - 1;
    size_t at = (uint32_t)user * UINT32_C(2654435769) >> (32 - office->places_bits);
    while (office->places[at] && office->askers[office->places[at] - 1].user != user)
        at = (at + 1) & mask;
    return &office->places[at];
}

/* Places for twice the users that there is room for, and never full. */
static int grow_office(struct office *office, struct loom_error *err)
{
    enum { FIRST_BITS = 10, MOST_BITS = 31 };
    unsigned bits = office->places ? office->places_bits + 1 : FIRST_BITS;
    uint32_t *places = bits <= MOST_BITS ? calloc((size_t)1 << bits, sizeof *places) : NULL;
    struct asker *askers =
        places ? realloc(office->askers, ((size_t)1 << (bits - 1)) * sizeof *askers) : NULL;
    if (!askers) {
        free(places);
        return loom_fail_memory(err);
    }
    free(office->places);
    office->places = places;
    office->places_bits = bits;
    office->askers = askers;
    office->capacity = (size_t)1 << (bits - 1);
    for (size_t i = 0; i < office->n; i++)
        *requests_place_of(office, askers[i].user) = (uint32_t)i + 1;
    return 0;
}

static int find_asker(struct asker **out, struct office *office, int32_t user,
                      struct loom_error *err)
{
    if (office->n == office->capacity) {
        int rc = grow_office(office, err);
        if (rc)
            return rc;
    }
    uint32_t *place = requests_place_of(office, user);
    if (!*place) {
        office->askers[office->n] = (struct asker){.user = user};
        *place = (uint32_t)++office->n;
    }
    *out = &office->askers[*place - 1];
    return 0;
}

static int requests_take_jobs(struct office *office, struct loom_error *err)
{
    struct loom_draft *draft = &office->generation->draft;
    struct asker *asker = NULL;
    int rc = 0;
    for (size_t job = 0; job < draft->n && !rc; job++) {
        int32_t user = draft->user ? draft->user[job] : -1;
        if (user >= 0 && (!asker || asker->user != user))
            rc = find_asker(&asker, office, user, err);
        if (user < 0)
            ask_alone(office->urn, draft, job, office->stream);
        else if (!rc)
            take_job(office, asker, (uint32_t)job);
    }
    for (size_t i = 0; i < office->n && !rc; i++)
        close_bundle(office, &office->askers[i]);
    return rc;
}

static int ask_for_all(const struct loom_urn *urn, struct loom_generation *generation,
                       struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, "estimates");
    struct office office = {.urn = urn,
                            .generation = generation,
                            .stream = &stream,
                            .ledger = loom_ledger_create(urn->model, &stream),
                            .keep_same = chance(urn->model->keep_same),
                            .keep_other = chance(urn->model->keep_other),
                            .keep_in_bundle = chance(urn->model->keep_in_bundle),
                            .novelty = chance(urn->model->novelty),
                            .next = draft->request_s};
    office.requests = (struct loom_requests){.n = draft->n,
                                             .submit_s = draft->submit_s,
                                             .procs = draft->procs,
                                             .group = draft->group,
                                             .executable = draft->executable,
                                             .queue = draft->queue};
    int rc = office.ledger.rows ? requests_take_jobs(&office, err) : loom_fail_memory(err);
    free(office.ledger.rows);
    free(office.askers);
    free(office.places);
    return rc;
}

int loom_request_model_apply(const struct loom_request_model *model,
                             struct loom_generation *generation, struct loom_error *err)
{
    struct loom_urn urn;
    int rc = loom_draft_sort(&generation->draft, err);
    if (!rc)
        rc = loom_draft_detail(&generation->draft, LOOM_DETAIL_REQUEST, err);
    if (rc)
        return rc;
    rc = loom_urn_open(&urn, model, generation, err);
    if (!rc)
        rc = ask_for_all(&urn, generation, err);
    loom_urn_close(&urn);
    return rc;
}
