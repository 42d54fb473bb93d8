/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A family to copy. It measures waiting: the mean wait, and the share of jobs that did not wait.
 *
 * To add a family:
 *   1. copy this file, rename loom_family_template at its end, and declare your keys above it;
 *   2. name the file in src/meson.build, and the family in the list in features.c;
 *   3. add a log small enough to work out by hand to the unit tests, and a paragraph to
 *      docs/methods/features.md.
 * Every key must get a value or, where the log does not have what it takes, a reason.
 */
#include "features/family.h"

static int template_compute(const struct loom_workload *jobs, struct loom_results *results,
                            struct loom_error *err)
{
    double total_s = 0;
    size_t known = 0, at_once = 0;
    (void)err; /* nothing here can fail */
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->wait_s[i] < 0)
            continue;
        total_s += (double)jobs->wait_s[i];
        at_once += jobs->wait_s[i] == 0;
        known++;
    }
    if (known > 0) {
        loom_put(results, "template.wait.mean_s", total_s / (double)known);
        loom_put(results, "template.wait.zero_fraction", (double)at_once / (double)known);
    }
    loom_put_rest_missing(results, "no job has a wait");
    return 0;
}

static const struct loom_feature_info keys[] = {
    /* key, unit, meaning (a sentence without its full stop), place in the texts */
    {"template.wait.mean_s", "s", "mean wait", "example"},
    {"template.wait.zero_fraction", "", "share of jobs that start at once", "example"},
    {0},
};

const struct loom_family_ops loom_family_template = {
    .name = "template",
    .keys = keys,
    .compute = template_compute,
};
