/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Algorithm 1, which makes jobs out of arrivals, shapes and sizes of bags (2010 paper VI-D, thesis
 * 5.1.4).
 *
 * It goes through the arrivals. A job that comes at most Delta after the one before it is a copy of
 * it, as long as its bag has fewer jobs than a size drawn from a Zipf distribution; else it begins
 * a new bag, of a new size and with a new run time and number of processors.
 *
 * So that others see the same bags, the jobs of a bag have one user, group and executable. Users
 * come as often as they began bags in the log, the executable is the kind of run time, and where
 * two neighbouring bags would be one and the same, the second has another executable. Users are
 * dealt like cards: drawn each for itself, those of few bags would often not come at all. Where the
 * log has queues, a bag has one of its user's (minh/queues.c).
 */
#include "base/draw.h"
#include "base/sort.h"
#include "models/minh/minh.h"
#include "stats/dist/dist.h"

#include <math.h>
#include <stdlib.h>

/* The bag that is being filled. */
struct bag {
    size_t end; /* the job after it */
    size_t kind, person;
    double alike, centre; /* of its run times: see loom_minh_draw_first() */
    int64_t run_s;
    int32_t procs, executable, queue;
};

/* Bags to come: so many are drawn at a time, each step for all of them, which do not wait for one
 * another. */
enum { DECK = LOOM_MINH_DECK };
struct deck {
    size_t n, dealt;
    size_t end[DECK]; /* the job after each bag */
    double alike[DECK], centre[DECK];
    enum loom_minh_place place[DECK];
    struct loom_minh_shape shape[DECK];
    uint32_t bits[DECK]; /* that the shapes have left over */
    int64_t run_s[DECK];
    size_t person[DECK];
    int32_t queue[DECK]; /* if the log has queues */
};

struct loom {
    const struct loom_minh *minh;
    bool improved, bagless;
    struct loom_minh_dice dice;
    struct loom_dist sizes;    /* of bags: Z */
    struct loom_half_die size; /* the same up to LOOM_MINH_TABLED jobs, and last for more */
    double beyond;             /* the chance of more */
    struct loom_stream bags;
    struct loom_halves people;
    struct loom_minh_clerk clerk;
    struct deck deck;
    struct cards {
        size_t n, dealt;
        uint32_t *person;
    } cards;
};

/* Sizes are looked up: drawing one from its formula takes four powers and logarithms. */
static int table_sizes(struct loom *loom, struct loom_error *err)
{
    double chances[LOOM_MINH_TABLED + 1];
    for (size_t k = 0; k < LOOM_MINH_TABLED; k++)
        chances[k] = loom_dist_density(&loom->sizes, (double)(k + 1));
    chances[LOOM_MINH_TABLED] = loom->beyond = loom_dist_survival(&loom->sizes, LOOM_MINH_TABLED);
    loom->size = loom_half_die_create(LOOM_MINH_TABLED + 1, chances);
    return loom->size.sides ? 0 : loom_fail_memory(err);
}

/* Beyond the table by quantile, which takes as long as many draws, if that is next to never; else
 * by rejection. */
double loom_minh_draw_beyond(const struct loom_dist *zipf, double beyond,
                             struct loom_stream *stream)
{
    static const double FEW = 1e-3;
    if (beyond > FEW)
        return loom_zipf_sample_from(zipf->params[0], LOOM_MINH_TABLED + 1, &stream->gsl);
    return loom_dist_quantile(zipf, 1 - beyond * gsl_rng_uniform_pos(&stream->gsl));
}

/* By these bits, and more draws if need be; 0 for a job that stays alone, on which nothing
 * branches: it is as good as random. */
static inline double draw_zipf(struct loom *loom, uint32_t bits, bool alone)
{
    size_t k = loom_half_die_at(&loom->size, bits);
    if (k == LOOM_MINH_TABLED && !alone)
        return loom_minh_draw_beyond(&loom->sizes, loom->beyond, &loom->bags);
    return (double)(int64_t)((k + 1) * !alone);
}

static double bags_of_all(const struct loom_minh_people *people)
{
    double all = 0;
    for (size_t i = 0; i < people->n; i++)
        all += (double)people->bags[i];
    return all;
}

/* A card for each bag of the log, or for every so many if fewer are enough. */
static int print_cards(struct loom *loom, size_t enough, struct loom_error *err)
{
    double all = bags_of_all(&loom->minh->people);
    size_t n = all < (double)enough ? (size_t)all : enough;
    n = n > UINT32_MAX ? UINT32_MAX : n > 0 ? n : 1;
    loom->cards = (struct cards){n, n, malloc(n * sizeof *loom->cards.person)};
    return loom->cards.person ? 0 : loom_fail_memory(err);
}

static void shuffle_cards(struct loom *loom)
{
    const struct loom_minh_people *people = &loom->minh->people;
    struct cards *cards = &loom->cards;
    double every = bags_of_all(people) / (double)cards->n, sum = 0;
    double first = loom_draw_uniform(&loom->people.stream);
    size_t i = 0;
    for (size_t p = 0; p < people->n; p++)
        for (sum += (double)people->bags[p]; i < cards->n && ((double)i + first) * every < sum; i++)
            cards->person[i] = (uint32_t)p;
    while (i < cards->n) /* what rounding has left over */
        cards->person[i++] = (uint32_t)(people->n - 1);
    for (i = cards->n; i > 1; i--) {
        size_t other = loom_half_below(&loom->people, (uint32_t)i);
        uint32_t person = cards->person[i - 1];
        cards->person[i - 1] = cards->person[other];
        cards->person[other] = person;
    }
    cards->dealt = 0;
}

static size_t deal_person(struct loom *loom)
{
    if (loom->cards.dealt == loom->cards.n)
        shuffle_cards(loom);
    return loom->cards.person[loom->cards.dealt++];
}

static int set_up(struct loom *loom, const struct loom_minh *minh, loom_minh_weight_fn *weight,
                  const struct loom_generation *generation, struct loom_error *err)
{
    loom->minh = minh;
    loom->improved = minh->variant == LOOM_IMPROVED;
    loom->bagless = generation->without & LOOM_BAGS;
    loom_generation_stream(&loom->bags, generation, "minh bags");
    loom_generation_stream(&loom->people.stream, generation, "minh people");
    int rc = print_cards(loom, generation->draft.n, err);
    if (!rc)
        rc = loom_minh_clerk_create(&loom->clerk, minh, generation, err);
    if (!rc)
        rc = loom_dist_init(&loom->sizes, "zipf", &minh->alpha, 1, err);
    if (!rc)
        rc = table_sizes(loom, err);
    if (!rc)
        rc =
            loom_minh_dice_init(&loom->dice, &minh->shapes, weight, generation, "minh shapes", err);
    if (!rc && loom->improved)
        loom_minh_cut(&loom->dice, minh->refined.longest_s);
    return rc;
}

static void tear_down(struct loom *loom)
{
    free(loom->cards.person);
    free(loom->size.sides);
    loom_minh_clerk_free(&loom->clerk);
    loom_minh_dice_free(&loom->dice);
}

/* ---- bags ------------------------------------------------------------------------------------ */

static int64_t gap_after(const struct loom_draft *draft, size_t job)
{
    return job + 1 < draft->n ? draft->submit_s[job + 1] - draft->submit_s[job] : INT64_MAX;
}

/* The job after a bag, which goes on as long as jobs come soon and it has room for them. */
static size_t end_of_bag(const struct loom *loom, const struct loom_draft *draft, size_t first,
                         double size)
{
    size_t end = first + 1;
    while ((double)(end - first) < size && gap_after(draft, end - 1) <= loom->minh->delta_s)
        end++;
    return end;
}

/* BoTSize of a bag, of which the next job comes after so many seconds. As printed, sizes are
 * Zipf's, and depend on nothing. Improved, a bag has one job by its own chance, or because the next
 * comes too late; else one more than Zipf. */
static double draw_size(struct loom *loom, int64_t gap_s, uint64_t bits)
{
    const struct loom_minh *minh = loom->minh;
    if (loom->bagless)
        return 1;
    uint32_t size_bits = (uint32_t)(bits >> 32);
    if (!loom->improved)
        return draw_zipf(loom, size_bits, false);
    double u = (double)(uint32_t)bits * 0x1p-32;
    bool late = gap_s > minh->delta_s;
    return 1 + draw_zipf(loom, size_bits, late | (u < loom_minh_single(&minh->refined, gap_s)));
}

static enum loom_minh_place minh_place_of(const struct loom *loom, double size)
{
    return loom->bagless ? LOOM_MINH_ANYWHERE : size > 1 ? LOOM_MINH_IN_BAG : LOOM_MINH_SINGLE;
}

static void draw_sizes(struct loom *loom, const struct loom_draft *draft, size_t first)
{
    struct deck *deck = &loom->deck;
    uint64_t bits[DECK];
    loom_draw_many(bits, DECK, &loom->bags);
    for (deck->n = 0; deck->n < DECK && first < draft->n; deck->n++) {
        double size = draw_size(loom, gap_after(draft, first), bits[deck->n]);
        deck->place[deck->n] = minh_place_of(loom, size);
        deck->end[deck->n] = first = end_of_bag(loom, draft, first, size);
    }
}

/* The function RandomlyGenerate, for the bags from job `first` on. */
static void fill_deck(struct loom *loom, const struct loom_draft *draft, size_t first)
{
    struct deck *deck = &loom->deck;
    draw_sizes(loom, draft, first);
    for (size_t i = 0; i < deck->n; i++)
        deck->person[i] = deal_person(loom);
    loom_minh_draw_shapes(deck->shape, deck->bits, deck->place, deck->n, &loom->dice);
    for (size_t i = 0; i < deck->n; i++) {
        bool alike = loom->improved && deck->place[i] == LOOM_MINH_IN_BAG;
        deck->alike[i] = alike ? loom->minh->refined.alike[deck->shape[i].kind] : 0;
    }
    loom_minh_draw_firsts(deck->run_s, deck->centre, deck->shape, deck->alike, deck->n,
                          &loom->dice);
    if (loom->improved && loom->dice.tied)
        loom_minh_size_alike(deck->shape, deck->bits, deck->run_s, deck->place, deck->n,
                             &loom->dice);
    for (size_t i = 0; i < deck->n && loom->clerk.dice; i++)
        deck->queue[i] = loom_minh_draw_queue(&loom->clerk, deck->person[i], deck->shape[i].kind);
    deck->dealt = 0;
}

/* A kind of executable for each kind of run time, and a second one for what would otherwise be
 * taken for more of the bag before. */
static int32_t executable_of(const struct loom *loom, const struct bag *bag,
                             const struct bag *before)
{
    int32_t executable = (int32_t)bag->kind + 1;
    bool same = before->person == bag->person && before->procs == bag->procs &&
                before->executable == executable;
    return same ? executable + (int32_t)loom->minh->shapes.n_kinds : executable;
}

static void begin_bag(struct loom *loom, struct bag *bag, const struct loom_draft *draft,
                      size_t first)
{
    struct deck *deck = &loom->deck;
    struct bag before = *bag;
    if (deck->dealt == deck->n)
        fill_deck(loom, draft, first);
    size_t i = deck->dealt++;
    *bag = (struct bag){.end = deck->end[i],
                        .kind = deck->shape[i].kind,
                        .person = deck->person[i],
                        .alike = deck->alike[i],
                        .centre = deck->centre[i],
                        .run_s = deck->run_s[i],
                        .procs = deck->shape[i].procs,
                        .queue = deck->queue[i]};
    bag->executable = executable_of(loom, bag, &before);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static void put_job(const struct loom *loom, struct loom_draft *draft, size_t job,
                    const struct bag *bag)
{
    draft->run_s[job] = bag->run_s;
    draft->procs[job] = bag->procs;
    draft->user[job] = loom->minh->people.user[bag->person];
    draft->group[job] = loom->minh->people.group[bag->person];
    draft->executable[job] = bag->executable;
    if (draft->queue)
        draft->queue[job] = bag->queue;
}

static void minh_make_jobs(struct loom *loom, struct loom_draft *draft)
{
    struct bag bag = {0};
    for (size_t first = 0; first < draft->n; first = bag.end) {
        begin_bag(loom, &bag, draft, first);
        put_job(loom, draft, first, &bag);
        for (size_t job = first + 1; job < bag.end; job++) {
            if (loom->improved)
                bag.run_s = loom_minh_draw_next(&loom->dice, bag.kind, bag.alike, bag.centre);
            put_job(loom, draft, job, &bag);
        }
    }
}

/* Most processes make their arrivals in order. */
static void put_in_order(struct loom_draft *draft)
{
    if (!loom_draft_in_order(draft))
        loom_sort_int64(draft->submit_s, draft->n);
}

/* Bags are made of arrivals as they are: without burstiness, the same jobs come at other times. */
static int make_workload(struct loom *loom, const struct loom_minh *minh,
                         loom_minh_weight_fn *weight, struct loom_generation *generation,
                         struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    int rc = loom_part_generate(&minh->arrivals, generation, err);
    if (!rc)
        rc = loom_draft_detail(draft,
                               LOOM_DETAIL_USER | LOOM_DETAIL_GROUP | LOOM_DETAIL_EXECUTABLE |
                                   (minh->queues.n > 0 ? LOOM_DETAIL_QUEUE : 0u),
                               err);
    if (!rc)
        rc = set_up(loom, minh, weight, generation, err);
    if (!rc) {
        put_in_order(draft);
        rc = loom->improved ? loom_minh_retime(&minh->refined, generation, err) : 0;
    }
    if (!rc)
        minh_make_jobs(loom, draft);
    tear_down(loom);
    return rc;
}

int loom_minh_generate(const struct loom_minh *minh, loom_minh_weight_fn *weight,
                       struct loom_generation *generation, struct loom_error *err)
{
    unsigned without = generation->without;
    struct loom loom = {0};
    generation->without &= ~(unsigned)LOOM_BURSTINESS;
    int rc = make_workload(&loom, minh, weight, generation, err);
    generation->without = without;
    if (!rc && without & LOOM_LOCALITY)
        loom_draft_shuffle(generation, "minh shuffle");
    if (!rc && without & LOOM_BURSTINESS)
        rc = loom_part_retime(&minh->arrivals, generation, err);
    return rc;
}
