/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Algorithm 1: jobs from arrivals, shapes and bag sizes (2010 paper VI-D, Minh 2012, 5.1.4).
 *
 * A job that arrives at most Delta after its predecessor is a copy of it while the bag is smaller
 * than a size drawn from a Zipf distribution; otherwise it starts a new bag with a new size,
 * runtime and number of processors.
 *
 * The jobs of a bag share user, group and executable, so that an analysis finds the same bags.
 * Users have the frequency of their bags in the log, the executable is the kind of runtime, and of
 * two adjacent bags that would look like one, the second gets another executable. Users are dealt
 * from a shuffled list: with independent draws, users with few bags would often be missing. If the
 * log has queues, a bag gets one of its user's (minh/queues.c).
 *
 * Bags are drawn in batches of LOOM_MINH_BATCH: all sizes, then all users, and so on.
 */
#include "base/draw.h"
#include "base/sort.h"
#include "models/minh/minh.h"
#include "stats/dist/dist.h"

#include <math.h>
#include <stdlib.h>

struct batch {
    size_t n, used;
    struct loom_minh_bag bags[LOOM_MINH_BATCH];
};

/* The users of the next bags, in random order. */
struct people {
    size_t n, used;
    uint32_t *person; /* index into loom_minh_people */
    struct loom_halves random;
};

struct generator {
    const struct loom_minh *minh;
    bool improved, bagless;
    struct loom_minh_sampler sampler;
    struct loom_dist sizes;         /* of bags: Z */
    gsl_ran_discrete_t *size_table; /* the same up to LOOM_MINH_TABLED jobs, and last for more */
    double beyond;                  /* the chance of more */
    struct loom_stream random;
    struct people people;
    struct loom_minh_queue_sampler queues;
    struct batch batch;
};

/* ---- sizes of bags --------------------------------------------------------------------------- */

/* Tabulate bag sizes: the formula needs four powers and logarithms a draw. */
static int table_sizes(struct generator *generator, struct loom_error *err)
{
    double chances[LOOM_MINH_TABLED + 1];
    for (size_t k = 0; k < LOOM_MINH_TABLED; k++)
        chances[k] = loom_dist_density(&generator->sizes, (double)(k + 1));
    generator->beyond = loom_dist_survival(&generator->sizes, LOOM_MINH_TABLED);
    chances[LOOM_MINH_TABLED] = generator->beyond;
    generator->size_table = loom_alias_create(LOOM_MINH_TABLED + 1, chances);
    return generator->size_table ? 0 : loom_fail_memory(err);
}

/* Draw a size beyond the table: by rejection, or by quantile (slow) if such sizes are very rare. */
double loom_minh_draw_beyond(const struct loom_dist *zipf, double beyond,
                             struct loom_stream *stream)
{
    static const double FEW = 1e-3;
    if (beyond > FEW)
        return loom_zipf_sample_from(zipf->params[0], LOOM_MINH_TABLED + 1, &stream->gsl);
    return loom_dist_quantile(zipf, 1 - beyond * gsl_rng_uniform_pos(&stream->gsl));
}

/* Draw Z with these bits, and further draws if needed. */
static double draw_zipf(struct generator *generator, uint32_t bits)
{
    size_t k = loom_alias_at(generator->size_table, loom_half_uniform(bits));
    return k < LOOM_MINH_TABLED
               ? (double)(k + 1)
               : loom_minh_draw_beyond(&generator->sizes, generator->beyond, &generator->random);
}

/* Draw BoTSize, given the time to the next arrival. Printed: a Zipf number, independent of all
 * else. Improved: 1 with a probability of its own or if the next job is too late; else one more
 * than a Zipf number. */
static double draw_size(struct generator *generator, int64_t gap_s, uint64_t bits)
{
    const struct loom_minh *minh = generator->minh;
    if (generator->bagless)
        return 1;
    uint32_t size_bits = (uint32_t)(bits >> 32);
    if (!generator->improved)
        return draw_zipf(generator, size_bits);
    bool late = gap_s > minh->delta_s;
    double u = loom_half_uniform((uint32_t)bits);
    bool alone = late || u < loom_minh_single(&minh->refined, gap_s);
    return alone ? 1 : 1 + draw_zipf(generator, size_bits);
}

/* ---- people ---------------------------------------------------------------------------------- */

static double bags_of_all(const struct loom_minh_people *people)
{
    double all = 0;
    for (size_t i = 0; i < people->n; i++)
        all += (double)people->bags[i];
    return all;
}

/* Allocate the list: an entry for each bag of the log, or fewer if `enough` is less. */
static int people_create(struct generator *generator, size_t enough, struct loom_error *err)
{
    double all = bags_of_all(&generator->minh->people);
    size_t n = all < (double)enough ? (size_t)all : enough;
    n = n > UINT32_MAX ? UINT32_MAX : n > 0 ? n : 1;
    generator->people.n = generator->people.used = n;
    generator->people.person = malloc(n * sizeof *generator->people.person);
    return generator->people.person ? 0 : loom_fail_memory(err);
}

/* Fill the list with one entry for each bag of a person, and shuffle it. */
static void people_shuffle(struct people *list, const struct loom_minh_people *people)
{
    double every = bags_of_all(people) / (double)list->n, sum = 0;
    double first = loom_draw_uniform(&list->random.stream);
    size_t i = 0;
    for (size_t p = 0; p < people->n; p++)
        for (sum += (double)people->bags[p]; i < list->n && ((double)i + first) * every < sum; i++)
            list->person[i] = (uint32_t)p;
    while (i < list->n) /* what rounding has left over */
        list->person[i++] = (uint32_t)(people->n - 1);
    for (i = list->n; i > 1; i--) {
        size_t other = loom_half_below(&list->random, (uint32_t)i);
        uint32_t person = list->person[i - 1];
        list->person[i - 1] = list->person[other];
        list->person[other] = person;
    }
    list->used = 0;
}

static size_t next_person(struct generator *generator)
{
    struct people *list = &generator->people;
    if (list->used == list->n)
        people_shuffle(list, &generator->minh->people);
    return list->person[list->used++];
}

/* ---- bags ------------------------------------------------------------------------------------ */

static int generator_init(struct generator *generator, const struct loom_minh *minh,
                          loom_minh_weight_fn *weight, const struct loom_generation *generation,
                          struct loom_error *err)
{
    generator->minh = minh;
    generator->improved = minh->variant == LOOM_IMPROVED;
    generator->bagless = generation->without & LOOM_BAGS;
    loom_generation_stream(&generator->random, generation, "minh bags");
    loom_generation_stream(&generator->people.random.stream, generation, "minh people");
    int rc = people_create(generator, generation->draft.n, err);
    if (!rc)
        rc = loom_minh_queue_sampler_create(&generator->queues, minh, generation, err);
    if (!rc)
        rc = loom_dist_init(&generator->sizes, "zipf", &minh->alpha, 1, err);
    if (!rc)
        rc = table_sizes(generator, err);
    if (!rc)
        rc = loom_minh_sampler_init(&generator->sampler, &minh->shapes, weight, generation,
                                    "minh shapes", err);
    if (!rc && generator->improved)
        loom_minh_cut(&generator->sampler, minh->refined.longest_s);
    return rc;
}

static void generator_free(struct generator *generator)
{
    free(generator->people.person);
    loom_alias_destroy(generator->size_table);
    loom_minh_queue_sampler_free(&generator->queues);
    loom_minh_sampler_free(&generator->sampler);
}

static int64_t gap_after(const struct loom_draft *draft, size_t job)
{
    return job + 1 < draft->n ? draft->submit_s[job + 1] - draft->submit_s[job] : INT64_MAX;
}

/* Return the index after the last job of a bag: its size is reached, or the next job is too
 * late. */
static size_t end_of_bag(const struct generator *generator, const struct loom_draft *draft,
                         size_t first, double size)
{
    size_t end = first + 1;
    while ((double)(end - first) < size && gap_after(draft, end - 1) <= generator->minh->delta_s)
        end++;
    return end;
}

static enum loom_minh_place place_of_bag(const struct generator *generator, double size)
{
    return generator->bagless ? LOOM_MINH_ANYWHERE : size > 1 ? LOOM_MINH_IN_BAG : LOOM_MINH_SINGLE;
}

/* Draw the ends of the bags of a batch, from job `first` on, and whether they are single jobs. */
static void draw_sizes(struct generator *generator, const struct loom_draft *draft, size_t first)
{
    struct batch *batch = &generator->batch;
    uint64_t bits[LOOM_MINH_BATCH];
    for (size_t i = 0; i < LOOM_MINH_BATCH; i++)
        bits[i] = loom_draw_u64(&generator->random);
    for (batch->n = 0; batch->n < LOOM_MINH_BATCH && first < draft->n; batch->n++) {
        struct loom_minh_bag *bag = &batch->bags[batch->n];
        double size = draw_size(generator, gap_after(draft, first), bits[batch->n]);
        bag->place = place_of_bag(generator, size);
        bag->end = first = end_of_bag(generator, draft, first, size);
    }
}

/* The function RandomlyGenerate, for the bags from job `first` on. */
static void draw_batch(struct generator *generator, const struct loom_draft *draft, size_t first)
{
    struct batch *batch = &generator->batch;
    struct loom_minh_bag *bags = batch->bags;
    draw_sizes(generator, draft, first);
    for (size_t i = 0; i < batch->n; i++)
        bags[i].person = next_person(generator);
    loom_minh_draw_shapes(bags, batch->n, &generator->sampler);
    for (size_t i = 0; i < batch->n; i++) {
        bool alike = generator->improved && bags[i].place == LOOM_MINH_IN_BAG;
        bags[i].alike = alike ? generator->minh->refined.alike[bags[i].shape.kind] : 0;
    }
    loom_minh_draw_firsts(bags, batch->n, &generator->sampler);
    if (generator->improved && generator->sampler.tied)
        loom_minh_size_by_run(bags, batch->n, &generator->sampler);
    for (size_t i = 0; i < batch->n && generator->queues.tables; i++)
        bags[i].queue =
            loom_minh_draw_queue(&generator->queues, bags[i].person, bags[i].shape.kind);
    batch->used = 0;
}

/* Return the executable of the kind of runtime, or its second one if the bag would otherwise merge
 * with the previous bag. */
static int32_t executable_of(const struct generator *generator, const struct loom_minh_bag *bag,
                             const struct loom_minh_bag *before)
{
    int32_t executable = (int32_t)bag->shape.kind + 1;
    bool same = before->person == bag->person && before->shape.procs == bag->shape.procs &&
                before->executable == executable;
    return same ? executable + (int32_t)generator->minh->shapes.n_kinds : executable;
}

static struct loom_minh_bag next_bag(struct generator *generator, const struct loom_draft *draft,
                                     size_t first, const struct loom_minh_bag *before)
{
    struct batch *batch = &generator->batch;
    if (batch->used == batch->n)
        draw_batch(generator, draft, first);
    struct loom_minh_bag bag = batch->bags[batch->used++];
    bag.executable = executable_of(generator, &bag, before);
    return bag;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static void put_job(const struct generator *generator, struct loom_draft *draft, size_t job,
                    const struct loom_minh_bag *bag)
{
    draft->run_s[job] = bag->run_s;
    draft->procs[job] = bag->shape.procs;
    draft->user[job] = generator->minh->people.user[bag->person];
    draft->group[job] = generator->minh->people.group[bag->person];
    draft->executable[job] = bag->executable;
    if (draft->queue)
        draft->queue[job] = bag->queue;
}

static void minh_make_jobs(struct generator *generator, struct loom_draft *draft)
{
    struct loom_minh_bag bag = {0};
    for (size_t first = 0; first < draft->n; first = bag.end) {
        bag = next_bag(generator, draft, first, &bag);
        put_job(generator, draft, first, &bag);
        for (size_t job = first + 1; job < bag.end; job++) {
            if (generator->improved)
                bag.run_s =
                    loom_minh_draw_next(&generator->sampler, bag.shape.kind, bag.alike, bag.centre);
            put_job(generator, draft, job, &bag);
        }
    }
}

/* Sort the arrivals, unless they are in order already, as most processes generate them. */
static void put_in_order(struct loom_draft *draft)
{
    if (!loom_draft_in_order(draft))
        loom_sort_int64(draft->submit_s, draft->n);
}

/* Generate the jobs. Bags use the bursty arrivals; without burstiness, the same jobs get other
 * times afterwards. */
static int make_workload(struct generator *generator, const struct loom_minh *minh,
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
        rc = generator_init(generator, minh, weight, generation, err);
    if (!rc) {
        put_in_order(draft);
        rc = generator->improved ? loom_minh_retime(&minh->refined, generation, err) : 0;
    }
    if (!rc)
        minh_make_jobs(generator, draft);
    generator_free(generator);
    return rc;
}

int loom_minh_generate(const struct loom_minh *minh, loom_minh_weight_fn *weight,
                       struct loom_generation *generation, struct loom_error *err)
{
    unsigned without = generation->without;
    struct generator generator = {0};
    generation->without &= ~(unsigned)LOOM_BURSTINESS;
    int rc = make_workload(&generator, minh, weight, generation, err);
    generation->without = without;
    if (!rc && without & LOOM_LOCALITY)
        loom_draft_shuffle(generation, "minh shuffle");
    if (!rc && without & LOOM_BURSTINESS)
        rc = loom_part_retime(&minh->arrivals, generation, err);
    return rc;
}
