/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of resampling, from words to the rule: for the command and for plans. */
#include "experiment/params.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const clocks[] = {"seconds", "wall", NULL};
const char *const loom_resample_starts[] = {"trace", "activity", NULL};
static const char *const levels[] = {"none", "job", "session", "user", NULL};

const struct loom_param loom_rare_params[] = {
    {.name = "rare",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "USER:FROM:TO",
     .help = "leave out a user's rare behaviour"},
    {.name = "rare-per-week",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 1e6,
     .value = "0",
     .metavar = "N",
     .help = "rare behaviours that start in a week"},
    {.name = NULL},
};

const struct loom_param loom_resample_length_params[] = {
    LOOM_WEEKS_PARAM,
    LOOM_LOAD_FACTOR_PARAM,
    {.name = "long-term",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 1e7,
     .metavar = "N",
     .help = "number of long-term users"},
    {.name = "temporary",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 1e7,
     .metavar = "N",
     .help = "number of temporary users at the start"},
    {.name = "arrivals",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 1e7,
     .metavar = "N",
     .help = "mean number of new temporary users per week"},
    LOOM_START_PARAM,
    {.name = NULL},
};

const struct loom_param loom_resample_user_params[] = {
    LOOM_LONG_TERM_WEEKS_PARAM,
    LOOM_EDGE_WEEKS_PARAM,
    {.name = "clock",
     .type = LOOM_PARAM_CHOICE,
     .choices = clocks,
     .value = "seconds",
     .metavar = "WHICH",
     .help = "weeks of equal seconds, or of local time"},
    {.name = "favour",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "CLASS=WEIGHT",
     .help = "draw users of a class WEIGHT times as often ('workloom list user-classes')"},
    {.name = NULL},
};

const struct loom_param loom_resample_change_params[] = {
    {.name = "as-is",
     .type = LOOM_PARAM_FLAG,
     .help = "keep the log's users, for --shake and --locality"},
    {.name = "shake",
     .type = LOOM_PARAM_CHOICE,
     .choices = levels,
     .value = "none",
     .metavar = "WHAT",
     .help = "shift jobs, sessions or users in time at random"},
    {.name = "shake-by",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 1e9,
     .value = "300",
     .metavar = "SECONDS",
     .help = "largest shift"},
    {.name = "locality",
     .type = LOOM_PARAM_REAL,
     .min = -1,
     .max = 1,
     .value = "0",
     .metavar = "D",
     .help = "weaken (to -1) or strengthen (to 1) the locality of jobs"},
    {.name = "fresh-names",
     .type = LOOM_PARAM_FLAG,
     .help = "new groups and executables for copies of users, which predictors need"},
    {.name = NULL},
};

/* ---- rare behaviours ------------------------------------------------------------------------- */

static int take_user(int32_t *out, const struct loom_trace *log, const char *text, size_t length,
                     struct loom_error *err)
{
    char name[128];
    if (length == 0 || length >= sizeof name)
        return loom_fail_field(err, LOOM_EUSAGE, "rare", "rare: '%.60s' names no user", text);
    memcpy(name, text, length);
    name[length] = '\0';
    char *end;
    long long number = strtoll(name, &end, 10);
    if (!*end && number >= 0 && number <= INT32_MAX) {
        *out = (int32_t)number;
        return 0;
    }
    *out = loom_trace_number(log, LOOM_USER, name);
    if (*out < 0)
        return loom_fail_field(err, LOOM_EUSAGE, "rare", "rare: there is no user '%.60s'", name);
    return 0;
}

/* That the user has jobs, and in that period; else when they are. */
static int check_jobs(const struct loom_rare *rare, const struct loom_trace *log,
                      const struct loom_zone *zone, const char *text, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(log);
    int64_t first_s = INT64_MAX, last_s = INT64_MIN;
    char first[32], last[32];
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t submit_s = jobs->submit_s[i];
        if (jobs->user[i] != rare->user)
            continue;
        if (submit_s >= rare->from_s && submit_s <= rare->to_s)
            return 0;
        first_s = submit_s < first_s ? submit_s : first_s;
        last_s = submit_s > last_s ? submit_s : last_s;
    }
    if (first_s > last_s)
        return loom_fail_field(err, LOOM_EUSAGE, "rare", "rare: there is no user %d", rare->user);
    return loom_fail_field(
        err, LOOM_EUSAGE, "rare",
        "rare: there is no job in '%.60s'; that user's jobs are from %s (%" PRId64
        " s) to %s (%" PRId64 " s)",
        text, loom_zone_text(zone, first_s, first, sizeof first), first_s,
        loom_zone_text(zone, last_s, last, sizeof last), last_s);
}

/* Times of day have colons too: the one that separates two times is that with a time on either
 * side. Both may be empty. */
static int take_period(struct loom_rare *rare, const struct loom_zone *zone, const char *text,
                       struct loom_error *err)
{
    char from[64];
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        size_t length = (size_t)(colon - text);
        if (length >= sizeof from)
            break;
        memcpy(from, text, length);
        from[length] = '\0';
        rare->from_s = INT64_MIN;
        rare->to_s = INT64_MAX;
        if ((!*from || !loom_zone_parse(&rare->from_s, zone, from, err)) &&
            (!colon[1] || !loom_zone_parse(&rare->to_s, zone, colon + 1, err)))
            return 0;
    }
    return loom_fail_field(err, LOOM_EUSAGE, "rare",
                           "rare: '%.60s' is not FROM:TO, two times in seconds of the log or as "
                           "YYYY-MM-DD[THH:MM[:SS]]",
                           text);
}

int loom_rare_take(struct loom_rare **out, size_t *n_rare, const struct loom_params *params,
                   const struct loom_trace *log, struct loom_error *err)
{
    size_t n = loom_params_count(params, "rare");
    struct loom_zone *zone = NULL;
    struct loom_rare *rare = *out = calloc(n + 1, sizeof *rare);
    *n_rare = n;
    if (!rare)
        return loom_fail_memory(err);
    int rc = n > 0 ? loom_zone_create(&zone, log, NULL, err) : 0;
    for (size_t i = 0; i < n && !rc; i++) {
        const char *text = loom_params_item(params, "rare", i);
        size_t length = strcspn(text, ":");
        rc = take_user(&rare[i].user, log, text, length, err);
        if (!rc && !text[length])
            rc =
                loom_fail_field(err, LOOM_EUSAGE, "rare",
                                "rare: '%.60s' must be USER:FROM:TO; %.60s:: is all that this user "
                                "did",
                                text, text);
        if (!rc)
            rc = take_period(&rare[i], zone, text + length + 1, err);
        if (!rc)
            rc = check_jobs(&rare[i], log, zone, text, err);
    }
    loom_zone_destroy(zone);
    return rc;
}

int loom_rare_check(const struct loom_params *params, struct loom_error *err)
{
    if (loom_params_real(params, "rare-per-week") > 0 && !loom_params_given(params, "rare"))
        return loom_fail_field(err, LOOM_EUSAGE, "rare-per-week rare",
                               "rare-per-week says how often, but not what: give rare");
    return 0;
}

/* ---- favours --------------------------------------------------------------------------------- */

static int take_favour(struct loom_favour *favour, char **name, const char *text,
                       struct loom_error *err)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    favour->weight = equals ? strtod(equals + 1, &end) : NAN;
    if (!equals || equals == text || end == equals + 1 || *end || !(favour->weight >= 0) ||
        favour->weight > 1e6)
        return loom_fail_field(
            err, LOOM_EUSAGE, "favour",
            "favour: '%.60s' must be CLASS=WEIGHT, with a weight from 0 to 1000000", text);
    *name = strndup(text, (size_t)(equals - text));
    favour->class_name = *name;
    return *name ? 0 : loom_fail_memory(err);
}

static int take_favours(struct loom_resample_request *out, const struct loom_params *params,
                        struct loom_error *err)
{
    size_t n = loom_params_count(params, "favour");
    out->favours = calloc(n + 1, sizeof *out->favours);
    out->names = calloc(n + 1, sizeof *out->names);
    int rc = out->favours && out->names ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = take_favour(&out->favours[i], &out->names[i], loom_params_item(params, "favour", i),
                         err);
    out->rule.favours = out->favours;
    out->rule.n_favours = n;
    return rc;
}

/* ---- all ------------------------------------------------------------------------------------- */

int64_t loom_params_weeks_s(const struct loom_params *params, const char *name)
{
    return llround(loom_params_real(params, name) * 7 * 86400);
}

void loom_population_take(struct loom_population_rule *population, struct loom_user_rule *pools,
                          const struct loom_params *params)
{
    pools->long_term_s = loom_params_weeks_s(params, "long-term-weeks");
    pools->edge_s = loom_params_weeks_s(params, "edge-weeks");
    population->load_factor = loom_params_real(params, "load-factor");
    population->start_active = loom_params_choice(params, "start") == 1;
    population->rare_per_week = loom_params_real(params, "rare-per-week");
    if (loom_params_given(params, "weeks"))
        population->length_s = loom_params_weeks_s(params, "weeks");
}

static double real_or(const struct loom_params *params, const char *name, double otherwise)
{
    return loom_params_given(params, name) ? loom_params_real(params, name) : otherwise;
}

/* Options that mean nothing together. */
static int check_together(const struct loom_params *params, struct loom_error *err)
{
    static const char *const fields[] = {
        "as-is weeks",    "as-is load-factor", "as-is long-term", "as-is temporary",
        "as-is arrivals", "as-is rare",        "as-is start",     "as-is favour",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *drawing = fields[i] + sizeof "as-is";
        if (loom_params_flag(params, "as-is") && loom_params_given(params, drawing))
            return loom_fail_field(err, LOOM_EUSAGE, fields[i],
                                   "as-is takes everyone as in the log: leave out %s", drawing);
    }
    if (loom_params_given(params, "shake-by") && loom_params_choice(params, "shake") == 0)
        return loom_fail_field(err, LOOM_EUSAGE, "shake-by shake",
                               "shake-by says how far, but not what: give shake");
    return loom_rare_check(params, err);
}

int loom_resample_request_take(struct loom_resample_request *out, const struct loom_params *params,
                               const struct loom_trace *log, struct loom_error *err)
{
    *out = (struct loom_resample_request){.rule = loom_resample_rule()};
    struct loom_resample_rule *rule = &out->rule;
    struct loom_population_rule *population = &rule->population;
    loom_population_take(population, &rule->pools, params);
    population->long_term = real_or(params, "long-term", -1);
    population->temporary = real_or(params, "temporary", -1);
    population->arrivals = real_or(params, "arrivals", -1);
    rule->wall_clock = loom_params_choice(params, "clock") == 1;
    rule->as_is = loom_params_flag(params, "as-is");
    rule->shake = (enum loom_shake)loom_params_choice(params, "shake");
    rule->shake_s = loom_params_int(params, "shake-by");
    rule->locality = loom_params_real(params, "locality");
    rule->fresh_names = loom_params_flag(params, "fresh-names");
    int rc = check_together(params, err);
    if (!rc)
        rc = loom_rare_take(&out->rare, &rule->n_rare, params, log, err);
    rule->rare = out->rare;
    return rc ? rc : take_favours(out, params, err);
}

void loom_resample_request_release(struct loom_resample_request *request)
{
    for (size_t i = 0; request->names && i < request->rule.n_favours; i++)
        free(request->names[i]);
    free(request->names);
    free(request->favours);
    free(request->rare);
}
