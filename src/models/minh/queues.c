/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queues of bags, if the log has any. People use few queues, and queues limit runtimes: the queue
 * of a bag is drawn from the queues of the person's bags of the same kind of runtime, or of all
 * bags of the person if there are none.
 */
#include "base/compare.h"
#include "models/minh/minh.h"

#include <stdlib.h>

/* ---- fitting --------------------------------------------------------------------------------- */

struct given {
    int64_t person; /* user and group in one */
    int32_t kind;   /* from 1 */
    int32_t queue;
};

static int by_person_kind_queue(const void *a, const void *b)
{
    const struct given *one = a, *other = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(one->person, other->person),
                                 LOOM_COMPARE(one->kind, other->kind),
                                 LOOM_COMPARE(one->queue, other->queue));
}

static bool has_queues(const struct loom_workload *jobs)
{
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->queue[i] >= 0)
            return true;
    return false;
}

/* List the queue of each bag with a known person and a shape of its first job. Return the
 * number. */
static size_t list_given(struct given *out, const struct loom_minh_log *log)
{
    const struct loom_workload *jobs = log->training->jobs;
    size_t n = 0, s = 0;
    for (size_t b = 0; b < log->bags->count; b++) {
        uint32_t job = log->bags->first[b];
        while (s < log->jobs->n && log->jobs->job[s] < job)
            s++;
        if (s == log->jobs->n || log->jobs->job[s] != job || jobs->user[job] < 0)
            continue;
        out[n++] = (struct given){.person = loom_minh_person(jobs, job),
                                  .kind = (int32_t)log->kind_of[s] + 1,
                                  .queue = jobs->queue[job] < 0 ? -1 : jobs->queue[job]};
    }
    return n;
}

static int minh_queues_allocate(struct loom_minh_queues *queues, size_t n, struct loom_error *err)
{
    queues->person = malloc((n + 1) * sizeof *queues->person);
    queues->kind = malloc((n + 1) * sizeof *queues->kind);
    queues->queue = malloc((n + 1) * sizeof *queues->queue);
    queues->bags = malloc((n + 1) * sizeof *queues->bags);
    bool whole = queues->person && queues->kind && queues->queue && queues->bags;
    return whole ? 0 : loom_fail_memory(err);
}

/* Count the queues by person; `people` is in the same order and complete. */
static void count_given(struct loom_minh_queues *queues, const struct loom_minh_people *people,
                        const struct given *given, size_t n)
{
    size_t person = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && by_person_kind_queue(&given[i], &given[end]) == 0; end++)
            ;
        while (loom_minh_pair(people->user[person], people->group[person]) != given[i].person)
            person++;
        queues->person[queues->n] = (int32_t)person;
        queues->kind[queues->n] = given[i].kind;
        queues->queue[queues->n] = given[i].queue;
        queues->bags[queues->n++] = (int64_t)(end - i);
    }
}

int loom_minh_queues_fit(struct loom_minh_queues *out, const struct loom_minh_people *people,
                         const struct loom_minh_log *log, struct loom_error *err)
{
    *out = (struct loom_minh_queues){0};
    if (!has_queues(log->training->jobs))
        return 0;
    struct given *given = malloc((log->bags->count + 1) * sizeof *given);
    if (!given)
        return loom_fail_memory(err);
    size_t n = list_given(given, log);
    qsort(given, n, sizeof *given, by_person_kind_queue);
    int rc = minh_queues_allocate(out, n, err);
    if (!rc)
        count_given(out, people, given, n);
    free(given);
    return rc;
}

void loom_minh_queues_free(struct loom_minh_queues *queues)
{
    free(queues->person);
    free(queues->kind);
    free(queues->queue);
    free(queues->bags);
}

/* ---- as a document --------------------------------------------------------------------------- */

void loom_minh_queues_describe(struct loom_minh_queues *queues, size_t people, size_t kinds,
                               struct loom_codec *codec)
{
    if (!loom_codec_holds(codec, "queues", queues->n > 0))
        return;
    loom_codec_open(codec, "queues");
    loom_codec_int32s(codec, "person", &queues->person, &queues->n, 1, UINT32_MAX, 0,
                      (int32_t)people - 1);
    size_t n = queues->n;
    loom_codec_int32s(codec, "kind", &queues->kind, &n, n, n, 1, (int32_t)kinds);
    loom_codec_int32s(codec, "queue", &queues->queue, &n, n, n, -1, INT32_MAX);
    loom_codec_int64s(codec, "bags", &queues->bags, &n, n, n, 1, INT64_MAX / 2);
    for (size_t i = 1; i < queues->n && !loom_codec_failed(codec); i++)
        if (queues->person[i] < queues->person[i - 1] ||
            (queues->person[i] == queues->person[i - 1] && queues->kind[i] < queues->kind[i - 1]))
            loom_codec_refuse(codec, "person", "must be in order, and kind for each person");
    loom_codec_close(codec);
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Return the end of the rows from `row` on of this person and of kinds up to this one (from 1). */
static size_t rows_until(const struct loom_minh_queues *queues, size_t row, size_t person,
                         size_t kind)
{
    while (row < queues->n && (size_t)queues->person[row] == person &&
           (size_t)queues->kind[row] <= kind)
        row++;
    return row;
}

/* Make the sampling table of the queues in these rows, weighted by numbers of bags. */
static int make_table(struct loom_minh_queue_table *out, const double *bags, size_t from, size_t to)
{
    *out = (struct loom_minh_queue_table){.first = from};
    if (from == to)
        return 0;
    out->alias = loom_alias_create(to - from, bags + from);
    return out->alias ? 0 : -1;
}

/* Make the tables of one person, whose rows begin at *row, and advance *row past them. */
static int add_person(struct loom_minh_queue_sampler *sampler, size_t person, const double *bags,
                      size_t *row)
{
    struct loom_minh_queue_table *tables = sampler->tables + person * (sampler->kinds + 1);
    size_t end = rows_until(sampler->queues, *row, person, sampler->kinds);
    int rc = make_table(&tables[sampler->kinds], bags, *row, end);
    for (size_t k = 0; k < sampler->kinds && !rc; k++) {
        size_t next = rows_until(sampler->queues, *row, person, k + 1);
        rc = make_table(&tables[k], bags, *row, next);
        *row = next;
    }
    return rc;
}

int loom_minh_queue_sampler_create(struct loom_minh_queue_sampler *out,
                                   const struct loom_minh *minh,
                                   const struct loom_generation *generation, struct loom_error *err)
{
    const struct loom_minh_queues *queues = &minh->queues;
    size_t kinds = minh->shapes.n_kinds, people = minh->people.n, row = 0;
    *out = (struct loom_minh_queue_sampler){.queues = queues, .people = people, .kinds = kinds};
    if (queues->n == 0)
        return 0;
    loom_generation_stream(&out->halves.stream, generation, "minh queues");
    out->tables = calloc(people * (kinds + 1) + 1, sizeof *out->tables);
    double *bags = malloc(queues->n * sizeof *bags);
    int rc = out->tables && bags ? 0 : -1;
    for (size_t i = 0; i < queues->n && !rc; i++)
        bags[i] = (double)queues->bags[i];
    for (size_t person = 0; person < people && !rc; person++)
        rc = add_person(out, person, bags, &row);
    free(bags);
    return rc ? loom_fail_memory(err) : 0;
}

void loom_minh_queue_sampler_free(struct loom_minh_queue_sampler *sampler)
{
    for (size_t i = 0; sampler->tables && i < sampler->people * (sampler->kinds + 1); i++)
        loom_alias_destroy(sampler->tables[i].alias);
    free(sampler->tables);
}

int32_t loom_minh_draw_queue(struct loom_minh_queue_sampler *sampler, size_t person, size_t kind)
{
    const struct loom_minh_queue_table *tables = sampler->tables + person * (sampler->kinds + 1);
    const struct loom_minh_queue_table *table = &tables[kind];
    double u = loom_half_uniform(loom_draw_half(&sampler->halves));
    if (!table->alias)
        table = &tables[sampler->kinds];
    return table->alias ? sampler->queues->queue[table->first + loom_alias_at(table->alias, u)]
                        : -1;
}
