/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selection: which rows of a trace a command works on.
 *
 * A job is selected if it meets every condition that was given. A condition on an unknown
 * value (user, processors, submit time) is not met. `first` comes last: it
 * counts, in submit order, the jobs that all other conditions leave.
 *
 * Lists of users and queues are items joined by commas: a number, a range of numbers such as 3-7, a
 * name, or the beginning of names with a '*' behind it. A '!' excludes the item it stands before
 * and all items after it in the same value. A job must match some item that includes, if there are
 * any, and no item that excludes.
 */
#include "trace/select.h"

#include "base/param.h"
#include "base/vec.h"
#include "base/words.h"
#include "trace/number.h"
#include "trace/table.h"
#include "trace/tool.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const select_choices[] = {"ran", "completed", "all", NULL};
static const char *const window_choices[] = {"whole", "complete", NULL};

/* "select" stands first: a command that wants another default declares its own and passes
 * loom_select_params + 1 beside it. "procs" stands second: a command where that word means the
 * machine passes loom_select_params + 2, and selects by "job-procs" only. "users" stands third. */
const struct loom_param loom_select_params[] = {
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .value = "all",
     .choices = select_choices,
     .metavar = "WHICH",
     .help = "which jobs"},
    {.name = "procs",
     .type = LOOM_PARAM_TEXT,
     .metavar = "MIN:MAX",
     .help = "jobs, as --job-procs; the size of the machine is --max-procs"},
    {.name = "users",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "LIST",
     .help = "jobs of these users: 3-7,ann,bob* (prefix); after '!' they are left out"},
    {.name = "job-procs",
     .type = LOOM_PARAM_TEXT,
     .metavar = "MIN:MAX",
     .help = "jobs of MIN to MAX processors; either may be empty"},
    {.name = "queues",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "LIST",
     .help = "jobs of these queues, given as for --users"},
    {.name = "from-time",
     .type = LOOM_PARAM_TEXT,
     .metavar = "TIME",
     .help = "jobs submitted from TIME on: seconds of the log, or YYYY-MM-DD[THH:MM[:SS]]"},
    {.name = "to-time",
     .type = LOOM_PARAM_TEXT,
     .metavar = "TIME",
     .help = "jobs submitted before TIME"},
    {.name = "window",
     .type = LOOM_PARAM_CHOICE,
     .choices = window_choices,
     .metavar = "WHICH",
     .help = "jobs submitted in the whole log, or in the window in which it is complete"},
    {.name = "first",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p62,
     .metavar = "N",
     .help = "first N selected jobs"},
    {.name = NULL},
};

/* ---- names ----------------------------------------------------------------------------------- */

static const char *const kind_words[LOOM_NAME_KINDS] = {"user", "group", "executable", "queue",
                                                        "partition"};

static bool all_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)text[i]))
            return false;
    return length > 0;
}

static int parse_id(int32_t *out, enum loom_name_kind kind, const char *text, size_t length,
                    struct loom_error *err)
{
    int64_t number = 0;
    if (loom_number_int(&number, text, length) != LOOM_NUMBER_OK || number > INT32_MAX)
        return loom_fail(err, LOOM_EUSAGE, "%s %.*s is beyond the largest number, %d",
                         kind_words[kind], (int)(length < 40 ? length : 40), text, INT32_MAX);
    *out = (int32_t)number;
    return 0;
}

static int fail_unknown(const struct loom_names *names, enum loom_name_kind kind, const char *text,
                        struct loom_error *err)
{
    const char **list = malloc((names->n + 1) * sizeof *list);
    if (!list)
        return loom_fail_memory(err);
    for (size_t i = 0; i < names->n; i++)
        list[i] = names->entries[i].name;
    list[names->n] = NULL;
    int rc = loom_fail_unknown(err, kind_words[kind], text, list,
                               names->n ? "give its number or one of the log's names"
                                        : "give its number, as this log has no such names");
    free(list);
    return rc;
}

int loom_trace_resolve(int32_t *out, const struct loom_trace *trace, enum loom_name_kind kind,
                       const char *text, size_t length, struct loom_error *err)
{
    if (all_digits(text, length))
        return parse_id(out, kind, text, length, err);
    const struct loom_names *names = &trace->names[kind];
    *out = loom_names_find(names, text, length);
    if (*out >= 0)
        return 0;
    char *word = strndup(text, length);
    if (!word)
        return loom_fail_memory(err);
    int rc = fail_unknown(names, kind, word, err);
    free(word);
    return rc;
}

/* ---- lists of numbers ------------------------------------------------------------------------ */

struct range {
    int32_t low, high;
};

struct ranges {
    struct range *items;
    size_t n, capacity;
};

/* What one of the lists asks for; both empty asks for nothing. */
struct filter {
    struct ranges take, leave;
};

static void filter_free(struct filter *filter)
{
    free(filter->take.items);
    free(filter->leave.items);
}

static int parse_item(struct range *out, const struct loom_trace *trace, enum loom_name_kind kind,
                      const char *text, size_t length, struct loom_error *err)
{
    const char *dash = memchr(text, '-', length);
    size_t left = dash ? (size_t)(dash - text) : 0;
    bool is_range = dash && all_digits(text, left) && all_digits(dash + 1, length - left - 1);
    int rc = is_range ? parse_id(&out->low, kind, text, left, err)
                      : loom_trace_resolve(&out->low, trace, kind, text, length, err);
    if (!rc && is_range)
        rc = parse_id(&out->high, kind, dash + 1, length - left - 1, err);
    else
        out->high = out->low;
    if (!rc && out->low > out->high)
        rc = loom_fail(err, LOOM_EUSAGE, "the range %d-%d of %ss is empty; give the smaller first",
                       out->low, out->high, kind_words[kind]);
    return rc;
}

static int add_item(struct ranges *ranges, const struct range *item, struct loom_error *err)
{
    if (loom_grow(&ranges->items, ranges->n, &ranges->capacity))
        return loom_fail_memory(err);
    ranges->items[ranges->n++] = *item;
    return 0;
}

/* All numbers whose names begin like the item, which ends in a '*'; runs of them are one range.
 * Where there are none, a range that is empty. */
static int add_names(struct ranges *ranges, const struct loom_names *names, const char *text,
                     size_t length, struct loom_error *err)
{
    int rc = add_item(ranges, &(struct range){1, 0}, err);
    for (size_t i = 0; i < names->n && !rc; i++) {
        const struct loom_named *entry = &names->entries[i];
        struct range *last = &ranges->items[ranges->n - 1];
        if (strncmp(entry->name, text, length - 1) != 0)
            continue;
        if (last->high >= last->low && last->high == entry->number - 1)
            last->high++;
        else
            rc = add_item(ranges, &(struct range){entry->number, entry->number}, err);
    }
    return rc;
}

static int add_items(struct ranges *ranges, const struct loom_trace *trace,
                     enum loom_name_kind kind, const char *text, size_t length,
                     struct loom_error *err)
{
    struct range range = {0};
    if (text[length - 1] == '*')
        return add_names(ranges, &trace->names[kind], text, length, err);
    int rc = parse_item(&range, trace, kind, text, length, err);
    return rc ? rc : add_item(ranges, &range, err);
}

static int parse_list(struct filter *filter, const struct loom_trace *trace,
                      enum loom_name_kind kind, const char *text, struct loom_error *err)
{
    struct ranges *into = &filter->take;
    for (const char *item = text, *next; item; item = next) {
        next = strchr(item, ',');
        if (next)
            next++;
        if (*item == '!') {
            into = &filter->leave;
            item++;
        }
        size_t length = strcspn(item, ",");
        int rc = length == 0 ? loom_fail(err, LOOM_EUSAGE, "the list of %ss '%s' has an empty item",
                                         kind_words[kind], text)
                             : add_items(into, trace, kind, item, length, err);
        if (rc)
            return rc;
    }
    return 0;
}

static int filter_read(struct filter *filter, const struct loom_trace *trace,
                       enum loom_name_kind kind, const struct loom_params *params, const char *name,
                       struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < loom_params_count(params, name) && !rc; i++)
        rc = parse_list(filter, trace, kind, loom_params_item(params, name, i), err);
    return rc;
}

static bool in_ranges(const struct ranges *ranges, int32_t number)
{
    for (size_t i = 0; i < ranges->n; i++)
        if (number >= ranges->items[i].low && number <= ranges->items[i].high)
            return true;
    return false;
}

static bool filter_passes(const struct filter *filter, int32_t number)
{
    return (filter->take.n == 0 || in_ranges(&filter->take, number)) &&
           !in_ranges(&filter->leave, number);
}

/* ---- all conditions -------------------------------------------------------------------------- */

struct conditions {
    bool ran, completed, sized, named;
    struct filter users, queues;
    int64_t min_procs, max_procs;
    int64_t from_s, to_s; /* from_s <= submit < to_s, where has_from, has_to */
    bool has_from, has_to, first;
};

static int read_bound(int64_t *bound, const char *text, size_t length, const char *whole,
                      struct loom_error *err)
{
    if (length == 0)
        return 0;
    int64_t number = 0;
    if (!all_digits(text, length) || loom_number_int(&number, text, length) != LOOM_NUMBER_OK)
        return loom_fail_field(err, LOOM_EUSAGE, "job-procs",
                               "job-procs wants the processors of jobs as MIN:MAX, such as 1:64 or "
                               "32:, not '%s'",
                               whole);
    *bound = number;
    return 0;
}

/* "MIN:MAX", "MIN:", ":MAX", or one number for both sides. */
static int read_procs(struct conditions *want, const char *text, struct loom_error *err)
{
    want->min_procs = 1;
    want->max_procs = INT64_MAX;
    size_t left = strcspn(text, ":");
    const char *right = text[left] ? text + left + 1 : text;
    int rc = read_bound(&want->min_procs, text, left, text, err);
    if (!rc)
        rc = read_bound(&want->max_procs, right, strlen(right), text, err);
    if (!rc && want->min_procs > want->max_procs)
        rc = loom_fail_field(err, LOOM_EUSAGE, "job-procs",
                             "job-procs %s is empty; give the smaller number first", text);
    return rc;
}

static int read_times(struct conditions *want, const struct loom_trace *trace,
                      const struct loom_params *params, struct loom_error *err)
{
    const char *from = loom_params_text(params, "from-time");
    const char *to = loom_params_text(params, "to-time");
    want->has_from = from != NULL;
    want->has_to = to != NULL;
    struct loom_zone *zone = NULL;
    int rc = loom_zone_create(&zone, trace, NULL, err);
    if (!rc && from)
        rc = loom_zone_parse(&want->from_s, zone, from, err);
    if (!rc && to)
        rc = loom_zone_parse(&want->to_s, zone, to, err);
    loom_zone_destroy(zone);
    if (!rc && from && to && want->from_s >= want->to_s)
        rc = loom_fail_field(err, LOOM_EUSAGE, "from-time to-time",
                             "from-time %s is not before to-time %s", from, to);
    return rc;
}

/* The window is found in the whole log, before any other condition. */
static int read_window(struct conditions *want, const struct loom_trace *trace,
                       const struct loom_params *params, struct loom_error *err)
{
    const char *which = loom_params_text(params, "window");
    struct loom_trace_window window;
    if (!which || strcmp(which, "complete") != 0)
        return 0;
    int rc = loom_trace_window_complete(&window, trace, err);
    if (rc)
        return rc;
    if (!want->has_from || want->from_s < window.from_s)
        want->from_s = window.from_s;
    if (!want->has_to || want->to_s > window.to_s + 1)
        want->to_s = window.to_s == INT64_MAX ? INT64_MAX : window.to_s + 1;
    want->has_from = want->has_to = true;
    return 0;
}

static bool given_as_procs(const struct loom_params *params)
{
    return loom_params_find(params, "procs") == &loom_select_params[1] &&
           loom_params_given(params, "procs");
}

/* Elsewhere procs is the machine: what could be meant so is not taken for a selection. */
static int check_procs(const struct loom_params *params, struct loom_error *err)
{
    const char *text = given_as_procs(params) ? loom_params_text(params, "procs") : NULL;
    if (text && loom_params_given(params, "job-procs"))
        return loom_fail_field(err, LOOM_EUSAGE, "procs job-procs",
                               "procs and job-procs select the same way; give one of them");
    if (text && all_digits(text, strlen(text)))
        return loom_fail_field(err, LOOM_EUSAGE, "procs job-procs MaxProcs",
                               "procs %s: jobs of so many processors are job-procs %s, a machine "
                               "of so many is MaxProcs %s",
                               text, text, text);
    return 0;
}

static int read_names(struct conditions *want, const struct loom_trace *trace,
                      const struct loom_params *params, struct loom_error *err)
{
    int rc = filter_read(&want->users, trace, LOOM_USER, params, "users", err);
    return rc ? rc : filter_read(&want->queues, trace, LOOM_QUEUE, params, "queues", err);
}

static int conditions_read(struct conditions *want, const struct loom_trace *trace,
                           const struct loom_params *params, const char *which,
                           struct loom_error *err)
{
    want->ran = strcmp(which, "ran") == 0;
    want->completed = strcmp(which, "completed") == 0;
    want->first = loom_params_text(params, "first") != NULL;
    const char *procs = loom_params_text(params, given_as_procs(params) ? "procs" : "job-procs");
    want->sized = procs != NULL;
    want->named = loom_params_given(params, "users") || loom_params_given(params, "queues");
    int rc = want->named ? read_names(want, trace, params, err) : 0;
    if (!rc && want->sized)
        rc = check_procs(params, err);
    if (!rc && want->sized)
        rc = read_procs(want, procs, err);
    if (!rc && (loom_params_text(params, "from-time") || loom_params_text(params, "to-time")))
        rc = read_times(want, trace, params, err);
    if (!rc)
        rc = read_window(want, trace, params, err);
    return rc;
}

static bool meets(const struct conditions *want, const struct loom_jobs *jobs, size_t row)
{
    if (want->ran && (jobs->run_s[row] < 0 || jobs->alloc_procs[row] <= 0))
        return false;
    if (want->completed && jobs->status[row] != LOOM_STATUS_COMPLETED)
        return false;
    if ((want->has_from || want->has_to || want->first) && jobs->submit_s[row] == -1)
        return false;
    if (want->has_from && jobs->submit_s[row] < want->from_s)
        return false;
    if (want->has_to && jobs->submit_s[row] >= want->to_s)
        return false;
    if (want->sized) {
        int32_t procs = loom_job_procs(jobs, row);
        if (procs < want->min_procs || procs > want->max_procs)
            return false;
    }
    return !want->named || (filter_passes(&want->users, jobs->user[row]) &&
                            filter_passes(&want->queues, jobs->queue[row]));
}

static int keep_first(uint8_t *keep, const struct loom_trace *trace, int64_t wanted,
                      struct loom_error *err)
{
    uint32_t *order = NULL;
    int rc = loom_trace_order(&order, trace, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < loom_trace_count(trace); i++)
        if (keep[order[i]] && wanted-- <= 0)
            keep[order[i]] = 0;
    free(order);
    return 0;
}

bool loom_selects_all(const struct loom_params *params)
{
    for (const struct loom_param *param = loom_select_params + 2; param->name; param++)
        if (loom_params_given(params, param->name))
            return false;
    if (given_as_procs(params))
        return false;
    return strcmp(loom_params_text(params, "select"), "all") == 0;
}

const char *loom_select_which(const struct loom_params *params, const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    if (loom_params_given(params, "select"))
        return loom_params_text(params, "select");
    for (size_t row = 0; row < jobs->n; row++)
        if (jobs->alloc_procs[row] > 0)
            return loom_params_text(params, "select");
    return "all";
}

static int select_by(uint8_t *keep, const struct loom_trace *trace,
                     const struct loom_params *params, const char *which, struct loom_error *err)
{
    struct conditions want = {0};
    int rc = conditions_read(&want, trace, params, which, err);
    if (!rc) {
        const struct loom_jobs *jobs = loom_trace_jobs(trace);
        for (size_t row = 0; row < jobs->n; row++)
            keep[row] = meets(&want, jobs, row);
    }
    filter_free(&want.users);
    filter_free(&want.queues);
    if (!rc && loom_params_text(params, "first"))
        rc = keep_first(keep, trace, loom_params_int(params, "first"), err);
    return rc;
}

int loom_select(uint8_t *keep, const struct loom_trace *trace, const struct loom_params *params,
                struct loom_error *err)
{
    return select_by(keep, trace, params, loom_params_text(params, "select"), err);
}

int loom_select_known(uint8_t *keep, const struct loom_trace *trace,
                      const struct loom_params *params, struct loom_error *err)
{
    return select_by(keep, trace, params, loom_select_which(params, trace), err);
}
