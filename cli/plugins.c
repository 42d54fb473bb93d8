/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedulers of shared objects: --plugin FILE.so. */
#include "command.h"

int load_plugins(struct invocation *call, struct loom_error *err)
{
    size_t n =
        loom_params_find(call->params, "plugin") ? loom_params_count(call->params, "plugin") : 0;
    int rc = n > 0 ? loom_schedulers_create(&call->schedulers, err) : 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_schedulers_load(call->schedulers, loom_params_item(call->params, "plugin", i),
                                  err);
    return rc;
}
