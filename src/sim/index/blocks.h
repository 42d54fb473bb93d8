/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blocks.h - jobs sorted by (key, job number), in blocks of up to LOOM_BLOCK_JOBS: the container of
 * queues (queue.h) and of the running jobs by estimated end (engine.h).
 *
 * A block has a column for each field, so that a scan reads only what it compares. Blocks are
 * listed in order. A short list is one block, a sorted array; inserting and removing moves at most
 * one block's jobs and, where a block is added or dropped, the list of blocks.
 *
 * A zeroed struct is empty. No block is empty while there are several.
 */
#ifndef LOOM_SIM_INDEX_BLOCKS_H
#define LOOM_SIM_INDEX_BLOCKS_H

#include "sim/index/least.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOOM_BLOCK_JOBS = 256 };

struct loom_block {
    uint32_t n;
    uint32_t job[LOOM_BLOCK_JOBS];
    int32_t procs[LOOM_BLOCK_JOBS];
    int16_t length[LOOM_BLOCK_JOBS]; /* loom_length_of the estimate */
    int64_t key[LOOM_BLOCK_JOBS];
    struct loom_least least; /* of its jobs, where the owner keeps it */
};

struct loom_job_blocks {
    struct loom_block **blocks; /* n_blocks in use, the others spare */
    size_t n_blocks, made, capacity;
    size_t n; /* jobs */
};

struct loom_block_entry {
    int64_t key;
    uint32_t job;
    int32_t procs;
    int16_t length;
};

/* Job `at` of a block. Behind the last job, block is n_blocks. */
struct loom_job_slot {
    uint32_t block, at;
};

/* Remove all jobs, keep the memory. */
void loom_blocks_reset(struct loom_job_blocks *blocks);
void loom_blocks_free(struct loom_job_blocks *blocks);

/* Insert a job and set *slot to where it is. Return 0; 1 if its block was split, and the other
 * half is right before or behind it; -1 when out of memory, and nothing has changed. */
int loom_blocks_insert(struct loom_job_blocks *blocks, const struct loom_block_entry *entry,
                       struct loom_job_slot *slot);
/* Remove the job at a slot. Return whether its block was dropped. */
bool loom_blocks_remove(struct loom_job_blocks *blocks, struct loom_job_slot slot);
/* Return the first job at or behind (key, job). */
struct loom_job_slot loom_blocks_find(const struct loom_job_blocks *blocks, int64_t key,
                                      uint32_t job);

bool loom_blocks_end(const struct loom_job_blocks *blocks, struct loom_job_slot slot);

/* The first slot; the end if there is no job. */
struct loom_job_slot loom_blocks_first(const struct loom_job_blocks *blocks);

struct loom_job_slot loom_blocks_next(const struct loom_job_blocks *blocks,
                                      struct loom_job_slot slot);

#endif
