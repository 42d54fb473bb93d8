/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sacct/values.h - how Slurm's sacct writes durations, sizes, counts, times, states and job ids.
 *
 * Every function takes a text that need not end in NUL, and returns false where it is not such a
 * value at all. A value that sacct leaves open (empty, Unknown, None, N/A, INVALID, UNLIMITED,
 * Partition_Limit, ?) is read as -1.
 */
#ifndef LOOM_TRACE_FORMATS_SACCT_VALUES_H
#define LOOM_TRACE_FORMATS_SACCT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* [D-]HH:MM:SS[.fraction] or MM:SS[.fraction], in seconds. */
bool loom_sacct_duration(double *seconds, const char *text, size_t length);

/* A whole number from 0 up. sacct shortens some with K, M, G (powers of 1024): 2K is 2048. The
 * 32-bit marks for "no value" and "infinite" are read as -1. */
bool loom_sacct_count(int64_t *count, const char *text, size_t length);

enum loom_sacct_per {
    LOOM_SACCT_PER_JOB,  /* no letter: since 21.08 ReqMem is the sum over the job */
    LOOM_SACCT_PER_NODE, /* 4Gn */
    LOOM_SACCT_PER_CPU,  /* 4Gc, or a per-node size of 2^31 MiB and more */
};

struct loom_sacct_size {
    double kib;
    enum loom_sacct_per per;
};

/* NUMBER[.fraction][K|M|G|T|P|E][n|c]; without a unit it is bytes. */
bool loom_sacct_size(struct loom_sacct_size *size, const char *text, size_t length);

enum loom_sacct_clock {
    LOOM_SACCT_NO_CLOCK,    /* no time is known */
    LOOM_SACCT_LOCAL_CLOCK, /* what the site's clock showed, counted as if it were UTC */
    LOOM_SACCT_UNIX_CLOCK,  /* true Unix time */
};

struct loom_sacct_time {
    int64_t s; /* since 1970, or -1 */
    enum loom_sacct_clock clock;
};

/* YYYY-MM-DDTHH:MM:SS (local clock), the same with Z or +HH[[:]MM], or Unix seconds. */
bool loom_sacct_time(struct loom_sacct_time *time, const char *text, size_t length);

enum loom_sacct_phase {
    LOOM_SACCT_UNSAID,  /* no state given */
    LOOM_SACCT_WAITING, /* in the queue */
    LOOM_SACCT_RUNNING, /* started, not over */
    LOOM_SACCT_REMOVED, /* over, perhaps without ever having started */
    LOOM_SACCT_ENDED,   /* over */
};

struct loom_sacct_state {
    int32_t status; /* of SWF, or -1 */
    enum loom_sacct_phase phase;
};

/* STATE, "STATE by UID", or a state cut short by '+'. */
bool loom_sacct_state(struct loom_sacct_state *state, const char *text, size_t length);

enum loom_sacct_id_kind {
    LOOM_SACCT_PLAIN,   /* 123 */
    LOOM_SACCT_ELEMENT, /* 123_4 */
    LOOM_SACCT_RANGE,   /* 123_[5-9]: elements of an array that have no record of their own */
    LOOM_SACCT_PART,    /* 123+1, a component of a heterogeneous job */
};

struct loom_sacct_id {
    enum loom_sacct_id_kind kind;
    bool step;       /* 123.batch, 123_4.0 */
    size_t length;   /* of the job's id: up to the step's '.' */
    int64_t base;    /* 123 */
    int64_t element; /* 4, or the component */
    const char *range;
    size_t range_length; /* of what the brackets hold */
};

bool loom_sacct_id(struct loom_sacct_id *id, const char *text, size_t length);

/* A job number made from the id alone: 123 for 123, 123 + k for 123+k (Slurm gives the components
 * of a heterogeneous job consecutive ids), and 123 * 10^9 + element for an element of an array. */
int64_t loom_sacct_number(const struct loom_sacct_id *id, int64_t element);

/* The elements of "1,3,7-9:2%4", one by one. */
struct loom_sacct_range {
    const char *at, *end;
    int64_t next, last, step;
};

/* Check a range and count its elements. *cut is set where sacct broke off with "..."; what it broke
 * off at is not counted. */
bool loom_sacct_range_open(struct loom_sacct_range *range, int64_t *count, bool *cut,
                           const char *text, size_t length);
bool loom_sacct_range_next(struct loom_sacct_range *range, int64_t *element);

/* The value of key in "cpu=12,mem=48000M,node=1", or NULL. */
const char *loom_sacct_tres(size_t *value_length, const char *text, size_t length, const char *key);

#endif
