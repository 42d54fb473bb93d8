/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Presets of users: what each chapter of Zakay 2017 says of users who react, as values of declared
 * parameters. docs/USERS.md has the results of all readings that were tried.
 */
#include "experiment/params.h"

#include <stdio.h>
#include <string.h>

/* Chapter 4, VII.C: a batch whose think time passes the end of its session stays in it, and skipped
 * sessions are lost. Chapter 5, III.B: such a batch comes with the next session, and skipped
 * sessions come again a week later. Both cut sessions where a user submits nothing for an hour.
 *
 * Chapter 5 says that long-term users start again "after the termination of their last job", and
 * also that resampling is kept as it was, where they pause until the log's length has passed
 * (chapter 3). Only the second comes near the waits that it reports, below 8 hours in all runs, so
 * zakay-ch5 pauses; zakay-ch5-literal is the first sentence alone. */
static const struct loom_users_preset presets[] = {
    {.name = "zakay-ch4",
     .about = "fluid users of chapter 4",
     .behaviour = "fluid:late=stays,skipped=end",
     .session_gap_min = 60,
     .log_users = true},
    {.name = "zakay-ch5",
     .about = "TBUOS of chapter 5; long-term users pause as in chapter 3",
     .behaviour = "fluid:late=moves,skipped=week",
     .session_gap_min = 60,
     .start = "trace",
     .pause = true},
    {.name = "zakay-ch5-literal",
     .about = "TBUOS of chapter 5 word by word; nobody pauses",
     .behaviour = "fluid:late=moves,skipped=week",
     .session_gap_min = 60,
     .start = "trace"},
};
enum { N_PRESETS = sizeof presets / sizeof *presets };

static const char *const preset_names[] = {"zakay-ch4", "zakay-ch5", "zakay-ch5-literal", NULL};

const struct loom_param loom_preset_params[] = {
    {.name = "preset",
     .type = LOOM_PARAM_CHOICE,
     .choices = preset_names,
     .metavar = "NAME",
     .help = "users as a chapter of Zakay 2017 has them"},
    {.name = NULL},
};

const struct loom_users_preset *loom_users_preset_at(size_t index)
{
    return index < N_PRESETS ? &presets[index] : NULL;
}

const struct loom_users_preset *loom_users_preset_find(const char *name)
{
    for (size_t i = 0; i < N_PRESETS; i++)
        if (strcmp(presets[i].name, name) == 0)
            return &presets[i];
    return NULL;
}

static int set_default(struct loom_params *params, const char *name, const char *value,
                       struct loom_error *err)
{
    return loom_params_given(params, name) ? 0 : loom_params_set(params, name, value, err);
}

int loom_users_preset_apply(struct loom_params *params, bool resampled, struct loom_error *err)
{
    char gap[32];
    if (!loom_params_given(params, "preset"))
        return 0;
    const struct loom_users_preset *preset =
        loom_users_preset_find(loom_params_text(params, "preset"));
    if (!resampled && !preset->log_users)
        return loom_fail_field(err, LOOM_EUSAGE, "users",
                               "preset %s is of a resampled population: set users to resampled",
                               preset->name);
    snprintf(gap, sizeof gap, "%g", preset->session_gap_min);
    int rc = set_default(params, "feedback", preset->behaviour, err);
    if (!rc)
        rc = set_default(params, "session-gap", gap, err);
    if (!rc && resampled && preset->start)
        rc = set_default(params, "start", preset->start, err);
    if (!rc && preset->pause)
        rc = set_default(params, "pause", NULL, err);
    return rc;
}
