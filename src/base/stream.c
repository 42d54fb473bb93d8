/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random streams on Random123's Philox4x64-10. The key is (seed, hash of the purpose); the counter
 * is (block, replication, 0, 0). So every (seed, replication, purpose) owns 2^64 blocks of four
 * numbers that no other stream draws from, and any of them can be had without making the others.
 */
#include "base/draw.h"
#include "base/hash.h"

#include <workloom/base.h>

#include <Random123/philox.h>
#include <string.h>

enum { WORDS = sizeof((struct loom_stream *)0)->words / sizeof(uint64_t) };

/* Compute several blocks at once, so that their chains of multiplications overlap in the processor.
 */
static void next_blocks(struct loom_stream *stream)
{
    enum { BLOCK = 4, BLOCKS = WORDS / BLOCK };
    philox4x64_key_t key = {{stream->key[0], stream->key[1]}};
    philox4x64_ctr_t blocks[BLOCKS];
    for (unsigned i = 0; i < BLOCKS; i++) {
        philox4x64_ctr_t counter = {
            {stream->counter[0] + i, stream->counter[1], stream->counter[2], stream->counter[3]}};
        blocks[i] = philox4x64(counter, key);
    }
    for (unsigned i = 0; i < BLOCKS; i++)
        memcpy(stream->words + (size_t)BLOCK * i, blocks[i].v, sizeof blocks[i].v);
    stream->counter[0] += BLOCKS;
    stream->used = 0;
}

uint64_t loom_stream_u64(struct loom_stream *stream)
{
    if (stream->used == WORDS)
        next_blocks(stream);
    return stream->words[stream->used++];
}

double loom_stream_uniform(struct loom_stream *stream)
{
    return (double)(loom_stream_u64(stream) >> 11) * 0x1.0p-53;
}

/* Lemire's method: the high half of draw x n, drawn again in the few cases that would bias it. */
uint64_t loom_stream_below(struct loom_stream *stream, uint64_t n)
{
    unsigned __int128 product = (unsigned __int128)loom_stream_u64(stream) * n;
    if ((uint64_t)product < n) {
        uint64_t threshold = (0 - n) % n;
        while ((uint64_t)product < threshold)
            product = (unsigned __int128)loom_stream_u64(stream) * n;
    }
    return (uint64_t)(product >> 64);
}

void loom_halves_refill(struct loom_halves *halves)
{
    uint64_t words[LOOM_HALVES / 2];
    loom_draw_many(words, LOOM_HALVES / 2, &halves->stream);
    for (size_t i = 0; i < LOOM_HALVES / 2; i++) {
        halves->numbers[2 * i] = (uint32_t)words[i];
        halves->numbers[2 * i + 1] = (uint32_t)(words[i] >> 32);
    }
    halves->left = LOOM_HALVES;
}

/* GSL's view. gsl_rng_set() restarts the stream under another seed, same replication and purpose.
 */
static void gsl_set(void *state, unsigned long seed)
{
    struct loom_stream *stream = state;
    stream->key[0] = seed;
    stream->counter[0] = 0;
    stream->used = WORDS;
}

static unsigned long gsl_get(void *state)
{
    return loom_stream_u64(state);
}

static double gsl_get_double(void *state)
{
    return loom_stream_uniform(state);
}

static const gsl_rng_type philox_type = {
    .name = "philox4x64-10",
    .max = UINT64_MAX,
    .min = 0,
    .size = sizeof(struct loom_stream),
    .set = gsl_set,
    .get = gsl_get,
    .get_double = gsl_get_double,
};

void loom_stream_init(struct loom_stream *stream, uint64_t seed, uint64_t replication,
                      const char *purpose)
{
    *stream = (struct loom_stream){
        .gsl = {.type = &philox_type, .state = stream},
        .key = {seed, loom_hash(purpose, strlen(purpose))},
        .counter = {0, replication, 0, 0},
        .used = WORDS,
    };
}
