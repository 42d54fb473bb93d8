/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training by a genetic algorithm (Minh 2012, section 8.3.3): individuals are sets of parameters,
 * evaluated on the first part of a log with the fitness of eq. 8.9. Each generation keeps the
 * fittest, and makes the others from parents chosen by tournament, crossed gene by gene and
 * mutated. It stops after a number of generations, or when the fittest has not changed for some.
 *
 * Eq. 8.9 trades up to 2 % of error for each percentage point of underestimates, so the fittest may
 * have a larger error than the simplest predictor. The error on the training jobs should be at most
 * that of recent2; the fitness is reduced in proportion to the excess.
 *
 * Training does not determine the template well: if all users behave alike in the first part of a
 * log, templates with and without the user have equal fitness there, and a random choice can be far
 * off in the second part. So attributes are added to the fittest template, similar to the
 * one-standard-error rule (Breiman et al. 1984): as many as keep the fitness within two standard
 * errors of the difference, by a jackknife over ten blocks of the training jobs. Two, because the
 * other parameters were optimised for the fittest template. More attributes are the safe side,
 * since jobs without a match fall back to the empty template.
 *
 * Each individual has its own random stream, and fitness depends only on the genes: results do not
 * depend on the number of threads.
 */
#include "predict/tune.h"

#include "base/progress.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOURNAMENT = 3, BLOCKS = 10, NARROWER = 15 };
static const double CROSSED = 0.8;  /* share of children with genes of both parents */
static const double SURE = 2.0;     /* standard errors by which a wider template must be better */
static const double PENALTY = 10.0; /* of the fitness, for each share of error too much */

/* Sums over a block of the training jobs. */
struct block {
    double jobs, under, error_s, run_s;
};

struct individual {
    double genes[LOOM_MOST_GENES];
    double fitness;
    struct block blocks[BLOCKS];
    bool known; /* fitness has been computed */
};

struct training {
    const struct loom_predictor_ops *ops;
    const char *text; /* the predictor's name, and parameters that keep their values */
    struct loom_gene genes[LOOM_MOST_GENES]; /* of the other parameters */
    const struct loom_trace *trace;
    const struct loom_tune_options *options;
    struct loom_job_replay replay;
    size_t n_jobs, n_genes; /* jobs of the first part */
    double *requests;       /* of these jobs, sorted */
    struct individual *now, *next;
    size_t room;                           /* of each */
    struct individual reference;           /* recent2: blocks only */
    struct loom_predicted_job **predicted; /* by worker */
};

/* ---- genes ----------------------------------------------------------------------------------- */

/* Draw a new value for a gene. */
static double draw_gene(const struct training *training, const struct loom_gene *gene,
                        struct loom_stream *stream)
{
    double u = loom_stream_uniform(stream);
    switch (gene->kind) {
    case LOOM_GENE_WORD:
        return u < 0.5;
    case LOOM_GENE_WHOLE:
        return floor(gene->low + u * (gene->high - gene->low + 1));
    case LOOM_GENE_REQUEST:
        return training->requests[(size_t)(u * (double)training->n_jobs)];
    case LOOM_GENE_REAL:
        break;
    }
    return gene->low + u * (gene->high - gene->low);
}

/* Move a number by a tenth of its range or so; a word or a requested time is drawn anew. */
static double mutate_gene(const struct training *training, const struct loom_gene *gene,
                          double value, struct loom_stream *stream)
{
    double u = 2 * loom_stream_uniform(stream) - 1, range = gene->high - gene->low;
    bool anew = loom_stream_uniform(stream) < 0.3;
    if (anew || gene->kind == LOOM_GENE_WORD || gene->kind == LOOM_GENE_REQUEST)
        return draw_gene(training, gene, stream);
    double moved = fmin(fmax(value + 0.2 * u * range, gene->low), gene->high);
    return gene->kind == LOOM_GENE_WHOLE ? round(moved) : moved;
}

/* Write the words of a text parameter whose genes are on, joined by '+'; "none" without any. */
static void write_words(char *text, size_t size, const struct training *training, const char *param,
                        const double *genes)
{
    size_t used = 0;
    snprintf(text, size, "none");
    for (size_t i = 0; i < training->n_genes; i++)
        if (strcmp(training->genes[i].param, param) == 0 && genes[i] > 0.5)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "+" : "",
                                     training->genes[i].word);
}

/* Create the parameters of an individual; the caller must destroy them. */
static int express(struct loom_params **out, const struct training *training, const double *genes,
                   struct loom_error *err)
{
    const struct loom_predictor_ops *ops;
    char text[200];
    int rc = loom_predictor_parse(&ops, out, training->text, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < training->n_genes && !rc; i++) {
        const struct loom_gene *gene = &training->genes[i];
        if (gene->kind == LOOM_GENE_WORD)
            write_words(text, sizeof text, training, gene->param, genes);
        else
            snprintf(text, sizeof text, gene->kind == LOOM_GENE_REAL ? "%.4g" : "%.0f", genes[i]);
        rc = loom_params_set(*out, gene->param, text, err);
    }
    if (rc) {
        loom_params_destroy(*out);
        *out = NULL;
    }
    return rc;
}

/* ---- fitness --------------------------------------------------------------------------------- */

/* Return the sums over all blocks but one; BLOCKS leaves out none. */
static struct block sum_without(const struct individual *who, size_t left_out)
{
    struct block sum = {0};
    for (size_t i = 0; i < BLOCKS; i++) {
        const struct block *block = &who->blocks[i];
        if (i == left_out)
            continue;
        sum.jobs += block->jobs;
        sum.under += block->under;
        sum.error_s += block->error_s;
        sum.run_s += block->run_s;
    }
    return sum;
}

/* Eq. 8.9. */
static double fitness_without(const struct individual *who, size_t left_out)
{
    struct block sum = sum_without(who, left_out);
    double over = 1 - sum.under / sum.jobs;
    return -(sum.error_s / sum.run_s) / exp(over * over);
}

/* Return the jackknife standard error over blocks of the difference of two fitnesses. */
static double error_of_difference(const struct individual *a, const struct individual *b)
{
    double differences[BLOCKS], mean = 0, squares = 0;
    for (size_t i = 0; i < BLOCKS; i++) {
        differences[i] = fitness_without(a, i) - fitness_without(b, i);
        mean += differences[i] / BLOCKS;
    }
    for (size_t i = 0; i < BLOCKS; i++)
        squares += (differences[i] - mean) * (differences[i] - mean);
    return sqrt(squares * (BLOCKS - 1) / BLOCKS);
}

/* Return eq. 8.9, lowered if the error is above the reference's. */
static double fitness_of(const struct individual *who, const struct individual *reference)
{
    double wanted = sum_without(reference, BLOCKS).error_s;
    double too_much = wanted > 0 ? fmax(0, sum_without(who, BLOCKS).error_s / wanted - 1) : 0;
    return fitness_without(who, BLOCKS) * (1 + PENALTY * too_much);
}

static void sum_blocks(struct individual *who, const struct training *training,
                       const struct loom_predicted_job *predicted)
{
    const struct loom_jobs *jobs = loom_trace_jobs(training->trace);
    for (size_t b = 0; b < BLOCKS; b++) {
        size_t end = training->n_jobs * (b + 1) / BLOCKS;
        struct block sum = {0};
        for (size_t i = training->n_jobs * b / BLOCKS; i < end; i++) {
            double run_s = (double)jobs->run_s[predicted[i].row];
            double error_s = predicted[i].prediction.run_s - run_s;
            sum.jobs++;
            sum.under += error_s < 0;
            sum.error_s += fabs(error_s);
            sum.run_s += run_s;
        }
        who->blocks[b] = sum;
    }
}

/* Predict the training jobs with parameters, which are taken over, also on failure. */
static int evaluate_with(struct individual *who, struct training *training,
                         struct loom_params *params, unsigned worker, struct loom_error *err)
{
    struct loom_predictor *predictor;
    int rc = loom_predictor_create_with(&predictor, training->ops, params, err);
    if (rc)
        return rc;
    rc = loom_job_replay_run(training->predicted[worker], &training->replay, predictor, 0,
                             training->n_jobs, err);
    if (!rc) {
        sum_blocks(who, training, training->predicted[worker]);
        who->fitness = fitness_of(who, &training->reference);
    }
    loom_predictor_destroy(predictor);
    return rc;
}

/* Evaluate an individual; genes that contradict a fixed parameter get the lowest fitness. */
static int evaluate_one(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct training *training = context;
    struct individual *who = &training->now[index];
    struct loom_params *params;
    if (who->known)
        return 0;
    int rc = express(&params, training, who->genes, err);
    if (!rc && training->ops->check && training->ops->check(params, NULL)) {
        loom_params_destroy(params);
        who->fitness = -INFINITY;
    } else if (!rc)
        rc = evaluate_with(who, training, params, worker, err);
    who->known = rc == 0;
    loom_progress_add(training->options->progress, 1);
    return rc;
}

/* Evaluate recent2 on the training jobs. */
static int take_reference(struct training *training, struct loom_error *err)
{
    struct loom_predictor *predictor;
    int rc = loom_predictor_create(&predictor, "recent2", err);
    if (rc)
        return rc;
    rc = loom_job_replay_run(training->predicted[0], &training->replay, predictor, 0,
                             training->n_jobs, err);
    if (!rc)
        sum_blocks(&training->reference, training, training->predicted[0]);
    loom_predictor_destroy(predictor);
    return rc;
}

/* ---- generations ----------------------------------------------------------------------------- */

static void draw_population(struct training *training)
{
    for (size_t i = 0; i < training->options->population; i++) {
        struct loom_stream stream;
        loom_stream_init(&stream, training->options->seed, i, "tune first");
        for (size_t g = 0; g < training->n_genes; g++)
            training->now[i].genes[g] = draw_gene(training, &training->genes[g], &stream);
    }
}

static size_t fittest(const struct training *training)
{
    size_t best = 0;
    for (size_t i = 1; i < training->options->population; i++)
        if (training->now[i].fitness > training->now[best].fitness)
            best = i;
    return best;
}

static const struct individual *choose_parent(const struct training *training,
                                              struct loom_stream *stream)
{
    const struct individual *best = NULL;
    for (int i = 0; i < TOURNAMENT; i++) {
        const struct individual *other =
            &training->now[loom_stream_below(stream, training->options->population)];
        if (!best || other->fitness > best->fitness)
            best = other;
    }
    return best;
}

static struct individual make_child(const struct training *training, struct loom_stream *stream)
{
    const struct individual *mother = choose_parent(training, stream),
                            *father = choose_parent(training, stream);
    bool crossed = loom_stream_uniform(stream) < CROSSED;
    struct individual child = *mother;
    for (size_t g = 0; g < training->n_genes; g++) {
        if (crossed && loom_stream_uniform(stream) < 0.5)
            child.genes[g] = father->genes[g];
        if (loom_stream_uniform(stream) < 1.0 / (double)training->n_genes)
            child.genes[g] = mutate_gene(training, &training->genes[g], child.genes[g], stream);
    }
    child.known = memcmp(child.genes, mother->genes, sizeof child.genes) == 0;
    return child;
}

/* Breed the next generation; its first individual is the fittest of this one. */
static void breed(struct training *training, size_t generation)
{
    size_t population = training->options->population;
    training->next[0] = training->now[fittest(training)];
    for (size_t i = 1; i < population; i++) {
        struct loom_stream stream;
        loom_stream_init(&stream, training->options->seed, generation * population + i, "tune");
        training->next[i] = make_child(training, &stream);
    }
    struct individual *old = training->now;
    training->now = training->next;
    training->next = old;
}

/* ---- the template ---------------------------------------------------------------------------- */

static unsigned words_of(const struct training *training, const struct individual *who)
{
    unsigned words = 0;
    for (size_t g = 0; g < training->n_genes; g++)
        if (training->genes[g].kind == LOOM_GENE_WORD && who->genes[g] > 0.5)
            words |= 1u << g;
    return words;
}

static int count_words(unsigned words)
{
    int n = 0;
    for (; words; words &= words - 1)
        n++;
    return n;
}

/* Store copies of the best with every set of further words in `next`. Return their number. */
static size_t list_narrower(struct training *training, const struct individual *best)
{
    unsigned all = 0, words = words_of(training, best);
    size_t n = 0;
    for (size_t g = 0; g < training->n_genes; g++)
        if (training->genes[g].kind == LOOM_GENE_WORD)
            all |= 1u << g;
    for (unsigned more = all & ~words; more && n < training->room;
         more = (more - 1) & all & ~words) {
        struct individual *who = &training->next[n++];
        *who = *best;
        who->known = false;
        for (size_t g = 0; g < training->n_genes; g++)
            if (more & 1u << g)
                who->genes[g] = 1;
    }
    return n;
}

static int narrow(struct individual *best, struct training *training, struct loom_error *err)
{
    struct individual *const now = training->now;
    size_t n = list_narrower(training, best);
    training->now = training->next;
    int rc = loom_pool_for(training->options->pool, n, evaluate_one, training, err);
    training->now = now;
    struct individual chosen = *best;
    for (size_t i = 0; i < n && !rc; i++) {
        const struct individual *who = &training->next[i];
        int more = count_words(words_of(training, who)) - count_words(words_of(training, &chosen));
        bool better = more > 0 || (more == 0 && who->fitness > chosen.fitness);
        if (better && best->fitness - who->fitness <= SURE * error_of_difference(best, who))
            chosen = *who;
    }
    *best = chosen;
    return rc;
}

/* ---- generation by generation -----------------------------------------------------------------
 */

static int evolve(struct training *training, struct loom_tuning *out, struct loom_error *err)
{
    const struct loom_tune_options *options = training->options;
    double best = -INFINITY;
    size_t unchanged = 0;
    draw_population(training);
    for (size_t i = 0; i < options->generations && unchanged < options->patience; i++) {
        if (i > 0)
            breed(training, i);
        int rc = loom_pool_for(options->pool, options->population, evaluate_one, training, err);
        if (rc)
            return rc;
        double fitness = training->now[fittest(training)].fitness;
        unchanged = fitness > best ? 0 : unchanged + 1;
        best = fmax(best, fitness);
        out->generations = i + 1;
    }
    struct individual chosen = training->now[fittest(training)];
    int rc = narrow(&chosen, training, err);
    out->fitness = fitness_without(&chosen, BLOCKS);
    if (!rc)
        rc = express(&out->params, training, chosen.genes, err);
    if (!rc && training->ops->check)
        rc = training->ops->check(out->params, err);
    return rc;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int open_training(struct training *training, struct loom_error *err)
{
    const struct loom_tune_options *options = training->options;
    const struct loom_job_replay *replay = &training->replay;
    unsigned workers = loom_pool_threads(options->pool);
    training->room = options->population > NARROWER ? options->population : NARROWER;
    training->now = calloc(training->room, sizeof *training->now);
    training->next = calloc(training->room, sizeof *training->next);
    training->requests = malloc(training->n_jobs * sizeof *training->requests);
    training->predicted = calloc(workers, sizeof(struct loom_predicted_job *));
    bool whole = training->now && training->next && training->requests && training->predicted;
    for (unsigned i = 0; i < workers && whole; i++)
        whole = (training->predicted[i] =
                     malloc(training->n_jobs * sizeof **training->predicted)) != NULL;
    if (!whole)
        return loom_fail_memory(err);
    for (size_t i = 0; i < training->n_jobs; i++)
        training->requests[i] = fmax(0, (double)replay->jobs->request_s[replay->rows[i]]);
    loom_sort_real(training->requests, training->n_jobs);
    return 0;
}

static void close_training(struct training *training)
{
    for (unsigned i = 0; training->predicted && i < loom_pool_threads(training->options->pool); i++)
        free(training->predicted[i]);
    free(training->predicted);
    free(training->requests);
    free(training->now);
    free(training->next);
    loom_job_replay_free(&training->replay);
}

/* ---- all of it ------------------------------------------------------------------------------- */

struct loom_tune_options loom_tune_options(void)
{
    return (struct loom_tune_options){
        .train = 0.5, .population = 50, .generations = 30, .patience = 10, .seed = 1};
}

static int tune_check(const struct loom_predictor_ops *ops, const struct loom_tune_options *options,
                      struct loom_error *err)
{
    if (!ops->genes)
        return loom_fail(err, LOOM_EUSAGE, "%s has nothing to train; minh2010 and ibl have",
                         ops->info.name);
    if (!(options->train > 0 && options->train <= 1))
        return loom_fail_field(err, LOOM_ERANGE, "train",
                               "train must be above 0, at most 1, not %g", options->train);
    if (options->population < 2 || options->generations < 1)
        return loom_fail_field(err, LOOM_ERANGE, "population generations",
                               "training needs a population of 2 and a generation at least");
    return 0;
}

/* Take the predictor of the text, and the genes of the parameters that it gives no value. */
static int take_predictor(struct training *training, struct loom_error *err)
{
    struct loom_params *params = NULL;
    int rc = loom_predictor_parse(&training->ops, &params, training->text, err);
    if (!rc)
        rc = tune_check(training->ops, training->options, err);
    for (const struct loom_gene *gene = training->ops ? training->ops->genes : NULL;
         !rc && gene->param; gene++)
        if (!loom_params_given(params, gene->param))
            training->genes[training->n_genes++] = *gene;
    if (!rc && training->n_genes == 0)
        rc = loom_fail(err, LOOM_EUSAGE, "%s: every parameter has its value; none is left to train",
                       training->ops->info.name);
    loom_params_destroy(params);
    return rc;
}

int loom_tune(struct loom_tuning *out, const char *predictor, const struct loom_trace *trace,
              const struct loom_tune_options *options, struct loom_error *err)
{
    const struct loom_tune_options defaults = loom_tune_options();
    struct training training = {.trace = trace,
                                .text = predictor,
                                .options = options ? options : &defaults};
    *out = (struct loom_tuning){0};
    int rc = take_predictor(&training, err);
    if (!rc)
        rc = loom_job_replay_open(&training.replay, trace, err);
    if (rc)
        return rc;
    out->info = &training.ops->info;
    training.n_jobs = (size_t)floor(training.options->train * (double)training.replay.n);
    out->jobs = (int64_t)training.n_jobs;
    if (training.n_jobs < LOOM_TUNE_LEAST)
        rc = loom_fail(err, LOOM_EDATA, "%zu jobs are too few to train with; %d are needed",
                       training.n_jobs, LOOM_TUNE_LEAST);
    if (!rc)
        rc = open_training(&training, err);
    if (!rc)
        rc = take_reference(&training, err);
    if (!rc)
        rc = evolve(&training, out, err);
    close_training(&training);
    if (rc)
        loom_tuning_free(out);
    return rc;
}

void loom_tuning_free(struct loom_tuning *tuning)
{
    loom_params_destroy(tuning->params);
    *tuning = (struct loom_tuning){0};
}
