/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accounts of requested times: see requests/accounts.h. */
#include "models/requests/accounts.h"
#include "base/draw.h"

#include <math.h>
#include <stdlib.h>

static void open_class(struct loom_accounts *accounts, const double *shares, size_t places,
                       struct loom_stream *stream)
{
    double sum = 0;
    for (size_t i = 0; i < places; i++)
        sum += shares[i];
    accounts->due = 1;
    accounts->places = places;
    for (size_t i = 0; i < places; i++)
        accounts->of[i] = (struct loom_account){shares[i] / sum, loom_draw_uniform(stream)};
}

struct loom_ledger loom_ledger_create(const struct loom_request_model *model,
                                      struct loom_stream *stream)
{
    size_t places = loom_request_model_places(model), rows = model->sizes * (model->heads + 1);
    size_t row_size = sizeof(struct loom_accounts) + places * sizeof(struct loom_account);
    struct loom_ledger ledger = {malloc(rows * row_size), row_size};
    for (size_t row = 0; ledger.rows && row < rows; row++)
        open_class(loom_ledger_row(&ledger, row), model->offers[row], places, stream);
    return ledger;
}

size_t loom_accounts_richest(const struct loom_accounts *accounts, size_t but)
{
    size_t richest = but < accounts->places ? but : 0;
    double most = -INFINITY;
    for (size_t place = 0; place < accounts->places; place++) {
        if (place == but || !(accounts->of[place].share > 0))
            continue;
        double left = loom_accounts_left(accounts, place);
        richest = left > most ? place : richest;
        most = left > most ? left : most;
    }
    return richest;
}
