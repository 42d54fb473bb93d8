/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom list: what there is to choose from. */
#include "command.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* One thing in a list: its name, what it is, one more word about it and, in some lists, whether it
 * has a certain property. */
struct item {
    const char *name, *summary, *detail;
    bool property;
    const char *yes; /* how it has it, where that is more than "yes" */
    char text[160];  /* room for a detail that is put together */
};

struct list {
    const char *name, *detail_title;
    bool (*at)(const struct invocation *call, size_t index, struct item *out);
    const char *property_title; /* NULL if there is none */
    const char *summary, *used_by;
};

static bool format_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_format_info *format = loom_format_at(index);
    if (!format)
        return false;
    const char *detail = !format->can_write ? "read" : !format->can_read ? "write" : "read, write";
    *out = (struct item){.name = format->name, .summary = format->summary, .detail = detail};
    return true;
}

static bool rule_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_rule_info *rule = loom_rule_at(index);
    if (!rule)
        return false;
    *out = (struct item){.name = rule->name,
                         .summary = rule->summary,
                         .detail = rule->on_by_default ? "on" : "when asked for"};
    return true;
}

static bool item_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    *out = (struct item){.name = NULL};
    return loom_item_at(index, &out->name, &out->detail, &out->summary);
}

static bool column_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    static const struct item columns[] = {
#define X(name, type, what) {#name, what, #type, false, NULL, ""},
        LOOM_COLUMNS(X)
#undef X
    };
    if (index >= sizeof columns / sizeof *columns)
        return false;
    *out = columns[index];
    return true;
}

static bool feature_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_feature_info *feature = loom_feature_info_at(index);
    if (!feature)
        return false;
    *out =
        (struct item){.name = feature->key, .summary = feature->meaning, .detail = feature->source};
    return true;
}

static bool table_at(const struct invocation *call, size_t index, struct item *out)
{
    struct loom_figure figure;
    (void)call;
    if (!loom_figure_at(index, &figure))
        return false;
    *out = (struct item){.name = figure.name,
                         .summary = figure.title,
                         .detail = figure.table ? "table" : "figure"};
    return true;
}

static bool distribution_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_dist_ops *dist = loom_dist_at(index);
    if (!dist)
        return false;
    *out = (struct item){.name = dist->name,
                         .summary = dist->summary,
                         .detail = dist->discrete ? "discrete" : "continuous"};
    return true;
}

/* "order=fcfs", for each parameter; a long list is cut, so that the column has room. */
static const char *defaults_of(const struct loom_param *params, char *buf, size_t size)
{
    enum { MOST_SHOWN = 16 };
    size_t used = 0;
    buf[0] = '\0';
    for (; params && params->name && used < size; params++) {
        if (used > MOST_SHOWN) {
            snprintf(buf + used, size - used, ",...");
            break;
        }
        used += (size_t)snprintf(buf + used, size - used, "%s%s%s%s", used ? "," : "", params->name,
                                 params->value ? "=" : "", params->value ? params->value : "");
    }
    return buf;
}

static bool scheduler_at(const struct invocation *call, size_t index, struct item *out)
{
    const struct loom_scheduler_info *scheduler = loom_scheduler_at(schedulers_of(call), index);
    if (!scheduler)
        return false;
    out->name = scheduler->name;
    out->summary = scheduler->summary;
    out->detail = defaults_of(scheduler->params, out->text, sizeof out->text);
    out->yes = scheduler->params && scheduler->params->name ? "by default" : "always";
    unsigned promises;
    out->property =
        loom_scheduler_promises(&promises, schedulers_of(call), scheduler->name, NULL) == 0 &&
        (promises & LOOM_PROMISE_NO_STARVE);
    return true;
}

static bool behaviour_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_behaviour_info *behaviour = loom_behaviour_at(index);
    if (!behaviour)
        return false;
    out->name = behaviour->name;
    out->summary = behaviour->summary;
    out->detail = defaults_of(behaviour->params, out->text, sizeof out->text);
    return true;
}

static bool predictor_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_predictor_info *predictor = loom_predictor_at(index);
    if (!predictor)
        return false;
    out->name = predictor->name;
    out->summary = predictor->summary;
    out->detail = defaults_of(predictor->params, out->text, sizeof out->text);
    return true;
}

static bool order_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_order_info *order = loom_order_at(index);
    if (!order)
        return false;
    *out = (struct item){.name = order->name,
                         .summary = order->summary,
                         .detail = order->changes ? "changes with time" : "fixed"};
    return true;
}

static bool platform_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_platform *platform = loom_platform_at(index);
    if (!platform)
        return false;
    int64_t procs = 0;
    for (size_t i = 0; i < platform->n_clusters; i++)
        procs += platform->clusters[i].procs;
    out->name = platform->name;
    out->summary = platform->summary;
    out->detail = out->text;
    snprintf(out->text, sizeof out->text, "%zu clusters, %lld processors", platform->n_clusters,
             (long long)procs);
    return true;
}

static bool model_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_model_info *model = loom_model_at(index);
    if (!model)
        return false;
    const char *kind = model->arrivals_only ? "arrivals" : "workload";
    *out = (struct item){.name = model->name,
                         .summary = model->summary,
                         .detail = kind,
                         .property = model->defaults != LOOM_DEFAULTS_NONE,
                         .yes = loom_model_defaults_name(model->defaults)};
    return true;
}

static bool metric_at(const struct invocation *call, size_t index, struct item *out)
{
    static const char *const better[] = {"", "lower is better", "higher is better"};
    (void)call;
    const struct loom_metric *metric = loom_metric_at(index);
    if (!metric)
        return false;
    out->name = metric->key;
    out->summary = metric->meaning;
    out->detail = out->text;
    snprintf(out->text, sizeof out->text, "%s%s%s", metric->unit,
             *metric->unit && metric->better ? ", " : "", better[metric->better]);
    return true;
}

static bool command_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    if (!commands[index])
        return false;
    *out = (struct item){.name = commands[index]->name,
                         .summary = commands[index]->summary,
                         .detail = commands[index]->operands};
    return true;
}

static bool user_class_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_user_class_info *class = loom_user_class_at(index);
    if (!class)
        return false;
    *out = (struct item){.name = class->name,
                         .summary = class->meaning,
                         .detail = "resample --favour"};
    return true;
}

static bool repeat_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_repeat_info *rule = loom_repeat_at(index);
    if (!rule)
        return false;
    *out = (struct item){.name = rule->name, .summary = rule->summary, .detail = "-"};
    if (rule->value_name)
        out->detail = rule->value_name;
    return true;
}

static bool queue_metric_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    const struct loom_queueing_metric_info *metric = loom_queueing_metric_at(index);
    if (!metric)
        return false;
    *out = (struct item){.name = metric->key, .summary = metric->meaning, .detail = metric->label};
    return true;
}

static const struct list lists[] = {
    {"formats", "can", format_at, NULL, "formats of files", "convert --from, --to"},
    {"rules", "default", rule_at, NULL, "rules of cleaning", "clean"},
    {"columns", "type", column_at, NULL, "columns of the job table", "the library"},
    {"features", "source", feature_at, NULL, "features that are measured", "analyze --feature"},
    {"items", "place", item_at, NULL, "tables and figures of the texts", "reproduce"},
    {"tables", "kind", table_at, NULL, "tables and figures of a log", "analyze --table, --figures"},
    {"distributions", "kind", distribution_at, NULL, "distributions that are fitted",
     "analyze --fit"},
    {"models", "kind", model_at, "parameters", "workload models and arrival processes",
     "fit, generate"},
    {"schedulers", "parameters", scheduler_at, "starvation-free", "scheduling policies",
     "simulate --scheduler"},
    {"orders", "kind", order_at, NULL, "orders of a scheduler's queue",
     "simulate -s easy:order=NAME"},
    {"predictors", "parameters", predictor_at, NULL, "predictors of runtimes",
     "predict, simulate --predictor"},
    {"behaviours", "parameters", behaviour_at, NULL, "how users react under feedback",
     "simulate --feedback"},
    {"user-classes", "for", user_class_at, NULL, "classes of users", "resample --favour"},
    {"metrics", "unit", metric_at, NULL, "results of a simulation", "simulate --csv, --json"},
    {"repeat-rules", "parameter", repeat_at, NULL, "when users of a queue submit another job",
     "queue --repeat"},
    {"queue-metrics", "label", queue_metric_at, NULL, "results of a queueing model",
     "queue --csv, --json"},
    {"platforms", "size", platform_at, NULL, "grids of clusters", "simulate --platform"},
    {"commands", "operands", command_at, NULL, "what workloom does", "help"},
};

enum { N_LISTS = sizeof lists / sizeof *lists };

/* Of "orders" or "order". */
static bool is_name(const char *word, const char *list)
{
    size_t length = strlen(word);
    return strcmp(word, list) == 0 ||
           (length + 1 == strlen(list) && strncmp(word, list, length) == 0);
}

const char *find_listed(const struct invocation *call, const char *word)
{
    struct item item;
    for (size_t i = 0; i < N_LISTS; i++) {
        if (is_name(word, lists[i].name))
            return lists[i].name;
        for (size_t k = 0; lists[i].at(call, k, &item); k++)
            if (strcmp(item.name, word) == 0)
                return lists[i].name;
    }
    return NULL;
}

const char *listed_at(size_t index)
{
    return index < N_LISTS ? lists[index].name : NULL;
}

static bool list_at(const struct invocation *call, size_t index, struct item *out)
{
    (void)call;
    if (index >= N_LISTS)
        return false;
    *out = (struct item){.name = lists[index].name,
                         .summary = lists[index].summary,
                         .detail = lists[index].used_by};
    return true;
}

static const struct list list_of_lists = {.name = "lists", .detail_title = "for", .at = list_at};

/* What lists are called elsewhere. */
static const struct {
    const char *name, *list;
} other_names[] = {
    {"policies", "schedulers"}, {"policy", "schedulers"}, {"reproduce", "items"},
    {"figures", "tables"},      {"users", "behaviours"},  {"feedback", "behaviours"},
};

static int find_list(const struct list **out, const char *name, struct loom_error *err)
{
    const char *names[N_LISTS + 1] = {0};
    for (size_t i = 0; i < N_LISTS; i++) {
        names[i] = lists[i].name;
        if (strcmp(names[i], name) == 0) {
            *out = &lists[i];
            return 0;
        }
    }
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(other_names[i].name, name) == 0)
            return loom_fail(err, LOOM_EUSAGE, "there is no list of '%s'; did you mean '%s'?", name,
                             other_names[i].list);
    return loom_fail_unknown(err, "list of", name, names, "see 'workloom help list'");
}

static json_t *item_json(const struct list *list, const struct item *item)
{
    json_t *object = json_pack("{s:s, s:s, s:s}", "name", item->name, "summary", item->summary,
                               list->detail_title, item->detail);
    if (list->property_title &&
        json_object_set_new(object, list->property_title,
                            item->yes ? json_string(item->property ? item->yes : "no")
                                      : json_boolean(item->property))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static int print_as_json(const struct invocation *call, const struct list *list,
                         struct loom_error *err)
{
    struct item item;
    json_t *array = json_array();
    int failed = 0;
    for (size_t i = 0; list->at(call, i, &item); i++)
        failed |= json_array_append_new(array, item_json(list, &item));
    json_t *document = new_document(call);
    if (json_object_set_new(document, list->name, array) || failed) {
        json_decref(document);
        document = NULL;
    }
    return print_document(document, err);
}

static const char *yes_of(const struct item *item)
{
    return !item->property ? "-" : item->yes ? item->yes : "yes";
}

static int fill_list_table(struct loom_table *table, const struct invocation *call,
                           const struct list *list, struct loom_error *err)
{
    struct item item;
    const struct table_column columns[] = {{list->name, LOOM_LEFT, LOOM_KEEP},
                                           {list->detail_title, LOOM_LEFT, 10},
                                           {list->property_title, LOOM_LEFT, 20},
                                           {"what it is", LOOM_LEFT, LOOM_KEEP}};
    int rc = add_columns(table, columns, list->property_title ? 3 : 2, err);
    if (!rc)
        rc = add_columns(table, &columns[3], 1, err);
    for (size_t i = 0; !rc && list->at(call, i, &item); i++) {
        rc = loom_table_cell(table, err, "%s", item.name);
        if (!rc)
            rc = loom_table_cell(table, err, "%s", item.detail);
        if (!rc && list->property_title)
            rc = loom_table_cell(table, err, "%s", yes_of(&item));
        if (!rc)
            rc = loom_table_cell(table, err, "%s", item.summary);
    }
    return rc;
}

static int list_run(const struct invocation *call, struct loom_error *err)
{
    const struct list *list = &list_of_lists;
    int rc = call->n_operands > 0 ? find_list(&list, call->operands[0], err) : 0;
    if (rc)
        return rc;
    if (loom_params_flag(call->params, "json"))
        return print_as_json(call, list, err);
    struct loom_table *table = NULL;
    rc = new_table(&table, call, err);
    if (!rc)
        rc = fill_list_table(table, call, list, err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

static const char *const about[] = {
    "Without WHAT, lists what there is to list. 'workloom help NAME' shows a model, scheduler, "
    "behaviour, platform or format with its parameters.",
    "Models with published or illustrative parameters generate jobs at once; others are fitted "
    "first. Under a starvation-free scheduler every job starts at some time: always, or with its "
    "default "
    "parameters.",
    "Sources, with the section: Minh 2012 and Zakay 2017 are theses, Minh 2010 is the paper of "
    "Minh, Wolters and Epema, Feitelson 2002 a survey, Lublin 2003 the paper of Lublin and "
    "Feitelson.",
    NULL,
};

static const struct loom_param list_params[] = {PLUGIN_PARAM, {.name = NULL}};

static const struct loom_param *const params[] = {list_params, table_params, common_params, NULL};

const struct command command_list = {
    .name = "list",
    .summary = "list formats, models, schedulers, features and more",
    .operands = "[WHAT]",
    .about = about,
    .params = params,
    .max_operands = 1,
    .run = list_run,
};
