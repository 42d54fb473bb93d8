/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that define features otherwise than the dictionary, of the commands that measure. */
#include "definitions.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const char *const methods[] = {"arrival", "last", "max", "last_cut", "max_cut", NULL};

const struct loom_param definition_params[] = {
    {.name = "bag-gap",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 366 * 86400,
     .value = "100",
     .metavar = "SECONDS",
     .help = "longest gap between jobs of a bag of tasks"},
    {.name = "rate-interval",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 366 * 86400,
     .value = "900",
     .metavar = "SECONDS",
     .help = "interval of the rate process of arrivals"},
    {.name = "session-method",
     .type = LOOM_PARAM_CHOICE,
     .choices = methods,
     .value = "arrival",
     .metavar = "METHOD",
     .help = "where sessions end, for similarity, batches and figures"},
    {.name = "session-gap",
     .type = LOOM_PARAM_REAL,
     .min = 1.0 / 60,
     .max = 366 * 1440,
     .metavar = "MINUTES",
     .help = "idle time that ends a session (default: 60 by arrival, else 20)"},
    {.name = "session-cut",
     .type = LOOM_PARAM_REAL,
     .min = 1.0 / 60,
     .max = 366 * 1440,
     .metavar = "MINUTES",
     .help = "longest a job counts in sessions with a cut (default: 60)"},
    {.name = NULL},
};

static int64_t minutes_s(const struct loom_params *params, const char *name)
{
    return loom_params_given(params, name) ? (int64_t)llround(loom_params_real(params, name) * 60)
                                           : 0;
}

struct loom_definitions definitions_of(const struct invocation *call)
{
    const struct loom_params *params = call->params;
    return (struct loom_definitions){
        .bag_gap_s = loom_params_int(params, "bag-gap"),
        .rate_interval_s = loom_params_int(params, "rate-interval"),
        .session_method = (enum loom_session_method)loom_params_choice(params, "session-method"),
        .session_gap_s = minutes_s(params, "session-gap"),
        .session_cut_s = minutes_s(params, "session-cut"),
    };
}

struct json_t *definitions_json(const struct loom_definitions *definitions)
{
    struct loom_session_rule rule = loom_definitions_rule(definitions, definitions->session_method);
    bool cuts = rule.method == LOOM_SESSION_LAST_CUT || rule.method == LOOM_SESSION_MAX_CUT;
    return json_pack("{s:I, s:I, s:s, s:I, s:o}", "bag_gap_s", (json_int_t)definitions->bag_gap_s,
                     "rate_interval_s", (json_int_t)definitions->rate_interval_s, "session_method",
                     loom_session_method_name(rule.method), "session_gap_s",
                     (json_int_t)rule.threshold_s, "session_cut_s",
                     cuts ? json_integer((json_int_t)rule.cut_s) : json_null());
}

struct json_t *changed_json(const struct loom_definitions *definitions)
{
    char note[NOTE_SIZE];
    json_t *changed = json_object();
    const struct loom_feature_info *info;
    for (size_t i = 0; (info = loom_feature_info_at(i)); i++)
        if (loom_definitions_note(definitions, info->key, note, sizeof note)[0] &&
            json_object_set_new(changed, info->key, json_string(note))) {
            json_decref(changed);
            return NULL;
        }
    return changed;
}

/* Keys whose notes together name every definition that can be changed. */
static const char *const noted[] = {"bot.count", "arrival.hurst.mean", "batch.single_job_fraction",
                                    "session.last_cut.count"};

void say_definitions(const struct invocation *call, const struct loom_definitions *definitions)
{
    char note[NOTE_SIZE], last[NOTE_SIZE] = "";
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
        loom_definitions_note(definitions, noted[i], note, sizeof note);
        if (note[0] && !strstr(last, note))
            say(call, "measured by another definition than the dictionary's: %s", note);
        memcpy(last, note, sizeof last);
    }
}
