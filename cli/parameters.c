/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of plug-ins: what a model or a scheduler declares, given as --param NAME=VALUE. */
#include "command.h"
#include "pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct loom_param plugin_params[] = {
    {.name = "param",
     .letter = 'p',
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "NAME=VALUE",
     .help = "set a parameter of the model or policy"},
    {.name = NULL},
};

int take_model(const struct loom_model_info **info, struct loom_params **params, const char *text,
               const struct invocation *call, struct loom_error *err)
{
    char *whole = with_params(text, call);
    *params = NULL;
    int rc = whole ? loom_model_parse(info, params, whole, err) : loom_fail_memory(err);
    free(whole);
    if (rc && rc != LOOM_ENOMEM)
        err->code = LOOM_EUSAGE; /* whatever is wrong with a value, the command line is */
    return rc ? err->code : 0;
}

bool names_model(const char *text)
{
    char name[64];
    const struct loom_model_info *info;
    struct loom_error ignored;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    return loom_model_find(&info, name, &ignored) == 0;
}

bool is_model_file(const char *text)
{
    if (names_model(text))
        return false;
    return strcmp(text, "-") == 0 || strpbrk(text, "/.") || access(text, F_OK) == 0;
}

/* "M.json:NAME=VALUE", where there is M.json. */
static bool is_file_with_params(const char *text)
{
    char path[4096];
    size_t length = strcspn(text, ":");
    if (!text[length] || length >= sizeof path || access(text, F_OK) == 0)
        return false;
    memcpy(path, text, length);
    path[length] = '\0';
    return access(path, F_OK) == 0;
}

int load_model_file(struct loom_model **out, const char *text, const struct invocation *call,
                    const char *const *settings, size_t n_settings, struct loom_error *err)
{
    bool given =
        loom_params_find(call->params, "param") && loom_params_count(call->params, "param") > 0;
    if (given || is_file_with_params(text))
        return loom_fail(err, LOOM_EUSAGE,
                         "%s for fitting, and for models by name; change a fitted model by "
                         "'generate --set'",
                         given ? "--param is" : "parameters after a colon are");
    return loom_model_load(out, text, settings, n_settings, err);
}

/* ---- one plug-in ----------------------------------------------------------------------------- */

static void tell_traits(char *text, size_t size, unsigned traits)
{
    size_t used = 0;
    for (size_t i = 0; i < LOOM_TRAITS; i++)
        if (traits >> i & 1)
            used +=
                (size_t)snprintf(text + used, size - used, "%s %s",
                                 used ? "," : "It can do without (--without):", loom_trait_name(i));
    if (used)
        snprintf(text + used, size - used, ".");
}

static bool grid_queue(struct plugin *out)
{
    const struct loom_scheduler_info *grid = loom_grid_info();
    *out = (struct plugin){.name = grid->name,
                           .kind = "queue of a grid",
                           .summary = grid->summary,
                           .source = "Minh 2012, 6.3",
                           .more = "Its parameters are set by --dispatch, or by a platform file.",
                           .params = grid->params,
                           .given = "--dispatch NAME=VALUE"};
    return true;
}

/* The queue of a grid comes behind the schedulers of machines. */
static bool scheduler_at(struct plugin *out, const struct invocation *call, size_t index)
{
    const struct loom_scheduler_info *scheduler = loom_scheduler_at(schedulers_of(call), index);
    if (!scheduler)
        return index > 0 && loom_scheduler_at(schedulers_of(call), index - 1) && grid_queue(out);
    *out = (struct plugin){.name = scheduler->name,
                           .kind = "scheduler",
                           .summary = scheduler->summary,
                           .params = scheduler->params};
    return true;
}

static bool behaviour_at(struct plugin *out, const struct invocation *call, size_t index)
{
    (void)call;
    const struct loom_behaviour_info *behaviour = loom_behaviour_at(index);
    if (!behaviour)
        return false;
    *out = (struct plugin){.name = behaviour->name,
                           .kind = "behaviour of users",
                           .summary = behaviour->summary,
                           .params = behaviour->params,
                           .given = "--feedback BEHAVIOUR:NAME=VALUE"};
    return true;
}

static bool predictor_at(struct plugin *out, const struct invocation *call, size_t index)
{
    (void)call;
    const struct loom_predictor_info *predictor = loom_predictor_at(index);
    if (!predictor)
        return false;
    *out = (struct plugin){.name = predictor->name,
                           .kind = "predictor of runtimes",
                           .summary = predictor->summary,
                           .params = predictor->params,
                           .given = "--predictor PREDICTOR:NAME=VALUE"};
    return true;
}

static bool takes_arrivals(const struct loom_param *params)
{
    for (; params && params->name; params++)
        if (strcmp(params->name, "arrivals") == 0)
            return true;
    return false;
}

static void add_sentence(char *text, size_t size, const char *sentence)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? " " : "", sentence);
}

static const char *own_parameters(enum loom_model_defaults defaults)
{
    static const char *const sentences[] = {
        [LOOM_DEFAULTS_NONE] = "It has no parameters of its own: fit it to a log first.",
        [LOOM_DEFAULTS_PUBLISHED] = "It has published parameters, and can be fitted to a log.",
        [LOOM_DEFAULTS_ILLUSTRATIVE] =
            "It has illustrative parameters, and can be fitted to a log.",
    };
    return sentences[defaults];
}

static bool model_at(struct plugin *out, const struct invocation *call, size_t index)
{
    (void)call;
    const struct loom_model_info *model = loom_model_at(index);
    if (!model)
        return false;
    *out = (struct plugin){.name = model->name,
                           .kind = model->arrivals_only ? "arrival process" : "workload model",
                           .summary = model->summary,
                           .source = model->source,
                           .params = model->params};
    tell_traits(out->more, sizeof out->more, model->traits);
    if (takes_arrivals(model->params))
        add_sentence(out->more, sizeof out->more, "Its arrival process may do without more.");
    add_sentence(out->more, sizeof out->more, own_parameters(model->defaults));
    return true;
}

static bool platform_at(struct plugin *out, const struct invocation *call, size_t index)
{
    (void)call;
    const struct loom_platform *platform = loom_platform_at(index);
    if (!platform)
        return false;
    *out =
        (struct plugin){.name = platform->name, .kind = "platform", .summary = platform->summary};
    for (size_t i = 0; i < platform->n_clusters; i++) {
        const struct loom_platform_cluster *cluster = &platform->clusters[i];
        bool last = i + 1 == platform->n_clusters;
        char text[80];
        snprintf(text, sizeof text, "%s%s with %lld%s", i == 0 ? "Its clusters: " : "",
                 cluster->name, (long long)cluster->procs, last ? " processors." : ",");
        add_sentence(out->more, sizeof out->more, text);
    }
    return true;
}

/* ---- all of a kind --------------------------------------------------------------------------- */

static bool format_at(struct plugin *out, const struct invocation *call, size_t index)
{
    (void)call;
    const struct loom_format_info *format = loom_format_at(index);
    if (!format)
        return false;
    *out = (struct plugin){.name = format->name,
                           .kind = !format->can_write  ? "read only"
                                   : !format->can_read ? "write only"
                                                       : "read and write",
                           .summary = format->summary};
    return true;
}

const struct topic topics[] = {
    {"behaviours", "how simulated users react to the service they get",
     "'workloom simulate TRACE --feedback NAME' lets users react to the service they get. "
     "Parameters come after the name: NAME:PARAMETER=VALUE. See also 'workloom help feedback'.",
     behaviour_at, NULL},
    {"experiments", "plans of many simulations, and their results",
     "What 'workloom experiment' runs, and what it writes.", NULL, page_experiments},
    {"feedback", "simulated users who react to service, and resampled populations",
     "How jobs come from users in 'workloom simulate --feedback' and '--users resampled'.", NULL,
     page_feedback},
    {"formats", "formats of files",
     "Workloom reads and writes logs in several formats, and writes models and results.", format_at,
     page_formats},
    {"json", "keys of the JSON documents", "What every command prints with --json.", NULL,
     page_json},
    {"models", "workload models and arrival processes",
     "'workloom fit MODEL TRACE -o M.json' fits a model to a log, and 'workloom generate' makes "
     "jobs from M.json, or from the name of a model with parameters of its own. Parameters of the "
     "fit are given as --param NAME=VALUE or after the name: minh2012:variant=printed. A workload "
     "model takes its arrivals from the arrival process that its parameter 'arrivals' names.",
     model_at, page_models},
    {"platforms", "grids of clusters for the simulator",
     "'workloom simulate TRACE --platform NAME' simulates a grid of clusters. NAME is one of the "
     "platforms below or a JSON file.",
     platform_at, page_platforms},
    {"predictors", "predictors of runtimes",
     "'workloom predict TRACE --predictor NAME' evaluates a predictor on a log, and 'workloom "
     "simulate --predictor NAME' schedules by it. Parameters come after the name: "
     "recent2, ibl:k=10; or NAME is a file that 'workloom predict --tune' wrote. Predictions are "
     "at "
     "least 1 s and at most the requested time.",
     predictor_at, NULL},
    {"resampling", "new workloads from the users of a log",
     "How 'workloom resample' draws users and changes their jobs.", NULL, page_resampling},
    {"schedulers", "scheduling policies of the simulator",
     "'workloom simulate TRACE --scheduler NAME' runs a log through a policy. Parameters are given "
     "as --param NAME=VALUE, or after the name: easy:order=sjf ('workloom list orders').",
     scheduler_at, NULL},
    {"scores", "how traces are compared and scored", "How 'workloom compare' measures realism.",
     NULL, page_scores},
    {"simulation", "rules and metrics of the simulator",
     "How 'workloom simulate' runs jobs, and what its results are.", NULL, page_simulation},
    {.name = NULL},
};

const struct topic *find_topic(const char *name)
{
    for (const struct topic *topic = topics; topic->name; topic++)
        if (strcmp(topic->name, name) == 0)
            return topic;
    return NULL;
}

bool find_namesake(struct plugin *out, const struct invocation *call, const char *name,
                   size_t before)
{
    for (const struct topic *topic = topics; topic->name; topic++)
        for (size_t i = 0; topic->at && topic->at(out, call, i); i++)
            if (strcmp(out->name, name) == 0 && before-- == 0)
                return true;
    return false;
}

bool find_plugin(struct plugin *out, const struct invocation *call, const char *name)
{
    return find_namesake(out, call, name, 0);
}
