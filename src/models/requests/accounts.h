/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests/accounts.h - how often jobs of each class have asked for what, so that the shares of
 * classes last although users keep to their own.
 *
 * Where a place has share q in its class and the class has had n jobs, q (n + 1) requests are due
 * to it. It may have an excess t beyond that, with t^2 + t = q (n + 1): about the standard
 * deviation of what chance makes of many, and as much again as is due where that is less than one.
 * Each account starts with a random part of a request, so that of places which are due less than
 * one some are asked for at once and some late.
 *
 * A place past its excess must not be asked for, unless no other was found. Then it is that which
 * has the most left; since n requests of n + 1 due are made, what it lacks is less than one. So no
 * place of a class is asked for by more than t + 1 jobs and one bundle beyond its due.
 */
#ifndef LOOM_MODELS_REQUESTS_ACCOUNTS_H
#define LOOM_MODELS_REQUESTS_ACCOUNTS_H

#include "models/requests/request_model.h"

#include <math.h>

struct loom_account {
    double share, asked;
};

/* The accounts of a class, by place. */
struct loom_accounts {
    double due; /* n + 1 above */
    size_t places;
    struct loom_account of[];
};

/* The accounts of all rows of the model, one after the other. */
struct loom_ledger {
    char *rows;
    size_t row_size;
};

/* Its rows are NULL when memory is out, else to be freed. */
struct loom_ledger loom_ledger_create(const struct loom_request_model *model,
                                      struct loom_stream *stream);

static inline struct loom_accounts *loom_ledger_row(const struct loom_ledger *ledger, size_t row)
{
    return (struct loom_accounts *)(void *)(ledger->rows + row * ledger->row_size);
}

/* How often a place may yet be asked for, the excess included; not above 0 if its share is 0. */
static inline double loom_accounts_left(const struct loom_accounts *accounts, size_t place)
{
    struct loom_account account = accounts->of[place];
    double due = account.share * accounts->due;
    return due + sqrt(due + 0.25) - 0.5 - account.asked;
}

/* Is anything left? If the excess e is less than t: e^2 + e < t^2 + t, or e < 0. No root is needed,
 * nor any branch, which would often be missed. */
static inline bool loom_accounts_allow(const struct loom_accounts *accounts, size_t place)
{
    struct loom_account account = accounts->of[place];
    double due = account.share * accounts->due, excess = account.asked - due;
    return excess * (fabs(excess) + 1) < due;
}

static inline void loom_accounts_charge(struct loom_accounts *accounts, size_t place, double jobs)
{
    accounts->of[place].asked += jobs;
    accounts->due += jobs;
}

/* The place, with a share, of which the most is left or the least is missing; another than `but` if
 * there is any. */
size_t loom_accounts_richest(const struct loom_accounts *accounts, size_t but);

#endif
