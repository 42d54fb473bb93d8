/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotas of requested times: see requests/quota.h. */
#include "models/requests/quota.h"
#include "base/draw.h"

#include <math.h>
#include <stdlib.h>

static void quota_init(struct loom_quota *quota, const double *shares, size_t places,
                       struct loom_stream *stream)
{
    double sum = 0;
    for (size_t i = 0; i < places; i++)
        sum += shares[i];
    quota->due = 1;
    quota->places = places;
    for (size_t i = 0; i < places; i++)
        quota->of[i] = (struct loom_quota_place){shares[i] / sum, loom_draw_uniform(stream)};
}

struct loom_quotas loom_quotas_create(const struct loom_request_model *model,
                                      struct loom_stream *stream)
{
    size_t places = loom_request_model_places(model), rows = model->sizes * (model->heads + 1);
    size_t row_size = sizeof(struct loom_quota) + places * sizeof(struct loom_quota_place);
    struct loom_quotas quotas = {malloc(rows * row_size), row_size};
    for (size_t row = 0; quotas.rows && row < rows; row++)
        quota_init(loom_quotas_row(&quotas, row), model->offers[row], places, stream);
    return quotas;
}

size_t loom_quota_most_left(const struct loom_quota *quota, size_t but)
{
    size_t best = but < quota->places ? but : 0;
    double most = -INFINITY;
    for (size_t place = 0; place < quota->places; place++) {
        double left = loom_quota_left(quota, place);
        if (place == but || !(quota->of[place].share > 0) || left <= most)
            continue;
        best = place;
        most = left;
    }
    return best;
}
