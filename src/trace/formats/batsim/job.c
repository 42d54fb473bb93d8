/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One job of a Batsim workload: {id, subtime, walltime, res, profile}, any other keys, and among
 * them "swf" with the columns that Batsim's own keys do not say, or say less well.
 */
#include "trace/formats/batsim/batsim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool loom_batsim_round(int64_t *out, double value, uint8_t *rounded)
{
    double nearest = round(value);
    if (!(nearest >= -0x1p63 && nearest < 0x1p63))
        return false;
    *rounded = (uint8_t)(*rounded + (nearest != value));
    *out = (int64_t)nearest;
    return true;
}

/* ---- Batsim's keys --------------------------------------------------------------------------- */

static bool wrong(char *problem, const char *key, const char *what)
{
    snprintf(problem, LOOM_BATSIM_PROBLEM, ".%s %s", key, what);
    return false;
}

static bool take_time(int64_t *out, struct loom_batsim_job *to, const json_t *job, const char *key,
                      char *problem)
{
    const json_t *value = json_object_get(job, key);
    if (!value)
        return wrong(problem, key, "is missing");
    if (!json_is_number(value))
        return wrong(problem, key, "is not a number of seconds");
    if (json_is_integer(value))
        *out = json_integer_value(value);
    else if (!loom_batsim_round(out, json_real_value(value), &to->rounded))
        return wrong(problem, key, "is past 64 bits");
    return true;
}

static bool take_walltime(struct loom_batsim_job *to, const json_t *job, char *problem)
{
    const json_t *value = json_object_get(job, "walltime");
    if (!value)
        return true;
    if (!take_time(&to->job.request_s, to, job, "walltime", problem))
        return false;
    double walltime_s = json_number_value(value);
    if (walltime_s <= 0 && walltime_s != -1)
        return wrong(problem, "walltime", "is neither positive nor -1, for none");
    return true;
}

static bool take_processors(struct loom_batsim_job *to, const json_t *job, char *problem)
{
    const json_t *value = json_object_get(job, "res");
    if (!value)
        return wrong(problem, "res", "is missing");
    json_int_t count = json_integer_value(value); /* 0 if it is no integer */
    if (count < 1 || count > INT32_MAX)
        return wrong(problem, "res", "is not a whole number of processors from 1 to 2147483647");
    to->job.req_procs = (int32_t)count;
    return true;
}

/* The number an id ends in, as in "12", "w0!12" or "job12"; a sign only before all of a number. */
static bool trailing_number(int64_t *out, const char *id)
{
    const char *end = id + strlen(id), *start = end;
    while (start > id && start[-1] >= '0' && start[-1] <= '9')
        start--;
    if (start == end)
        return false;
    if (start > id && start[-1] == '-' && (start - 1 == id || start[-2] == '!'))
        start--;
    return loom_number_int(out, start, (size_t)(end - start)) == LOOM_NUMBER_OK;
}

static bool take_id(struct loom_batsim_job *to, const json_t *job, char *problem)
{
    const json_t *value = json_object_get(job, "id");
    if (!value)
        return wrong(problem, "id", "is missing");
    to->id_is_number = true;
    if (json_is_integer(value))
        to->job.number = json_integer_value(value);
    else if (json_is_string(value))
        to->id_is_number = trailing_number(&to->job.number, json_string_value(value));
    else
        return wrong(problem, "id", "is neither a string nor a whole number");
    return true;
}

static bool take_profile(struct loom_batsim_job *to, const json_t *job, char *problem)
{
    to->profile = json_string_value(json_object_get(job, "profile"));
    return to->profile || wrong(problem, "profile", "is not the name of a profile");
}

/* ---- the other columns ----------------------------------------------------------------------- */

static bool set_column(struct loom_job *job, const struct loom_column_info *column,
                       const json_t *value)
{
    char *field = (char *)job + column->offset;
    json_int_t whole = json_integer_value(value);
    if (column->type == LOOM_REAL && json_is_number(value))
        *(double *)(void *)field = json_number_value(value);
    else if (column->type == LOOM_WHOLE_64 && json_is_integer(value))
        *(int64_t *)(void *)field = whole;
    else if (column->type == LOOM_WHOLE_32 && json_is_integer(value) && whole >= INT32_MIN &&
             whole <= INT32_MAX)
        *(int32_t *)(void *)field = (int32_t)whole;
    else
        return false;
    return true;
}

static const struct loom_column_info *find_column(const char *name)
{
    for (size_t i = 0; i < LOOM_COLUMN_COUNT; i++)
        if (strcmp(loom_column_table[i].name, name) == 0)
            return &loom_column_table[i];
    return NULL;
}

static bool take_swf(struct loom_batsim_job *to, json_t *job, char *problem)
{
    json_t *swf = json_object_get(job, "swf"), *value;
    const char *key;
    if (!swf)
        return true;
    if (!json_is_object(swf))
        return wrong(problem, "swf", "is not an object");
    json_object_foreach(swf, key, value)
    {
        const struct loom_column_info *column = find_column(key);
        if (column && set_column(&to->job, column, value))
            continue;
        char shown[LOOM_SHOWN], path[LOOM_SHOWN + 8];
        snprintf(path, sizeof path, "swf.%s", loom_shown(shown, key, strlen(key)));
        return wrong(problem, path, column ? "is not a number that fits it" : "is not a column");
    }
    to->own_number = json_object_get(swf, "number");
    to->own_run = json_object_get(swf, "run_s");
    return true;
}

bool loom_batsim_take_job(struct loom_batsim_job *out, json_t *value,
                          char problem[LOOM_BATSIM_PROBLEM])
{
    *out = (struct loom_batsim_job){.job = loom_job_unknown()};
    if (!json_is_object(value)) {
        snprintf(problem, LOOM_BATSIM_PROBLEM, " is not an object");
        return false;
    }
    return take_id(out, value, problem) &&
           take_time(&out->job.submit_s, out, value, "subtime", problem) &&
           take_walltime(out, value, problem) && take_processors(out, value, problem) &&
           take_profile(out, value, problem) && take_swf(out, value, problem);
}
