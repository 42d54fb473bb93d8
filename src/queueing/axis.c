/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters that a sweep changes. */
#include "base/numbers.h"
#include "base/words.h"

#include <workloom/queueing.h>

#include <stdio.h>
#include <string.h>

static void set_lambda(struct loom_queueing_model *model, double value)
{
    model->lambda = value;
}

static void set_closed(struct loom_queueing_model *model, double value)
{
    model->closed = (uint64_t)value;
}

static void set_think(struct loom_queueing_model *model, double value)
{
    model->think.mean = value;
}

static void set_think_rate(struct loom_queueing_model *model, double value)
{
    model->think.mean = 1 / value;
}

static void set_p(struct loom_queueing_model *model, double value)
{
    model->repeat = (struct loom_repeat){LOOM_REPEAT_CONSTANT, value};
}

static void set_service(struct loom_queueing_model *model, double value)
{
    model->service = value;
}

static void set_servers(struct loom_queueing_model *model, double value)
{
    model->servers = (unsigned)value;
}

static const struct parameter {
    const char *name, *label;
    void (*set)(struct loom_queueing_model *model, double value);
    double min, max;
    bool whole;
} parameters[] = {
    {"lambda", "arrival rate of open users", set_lambda, 0, 1e12, false},
    {"N", "closed users", set_closed, 0, 1e6, true},
    {"think", "think time", set_think, 0, 1e12, false},
    {"think-rate", "think rate", set_think_rate, 1e-12, 1e12, false},
    {"p", "probability of another job", set_p, 0, 1 - 1e-9, false},
    {"service", "service time", set_service, 1e-12, 1e12, false},
    {"servers", "servers", set_servers, 1, 1e6, true},
};

enum { N_PARAMETERS = sizeof parameters / sizeof *parameters };

static const struct parameter *find_parameter(const char *name)
{
    for (size_t i = 0; i < N_PARAMETERS; i++)
        if (strcmp(parameters[i].name, name) == 0)
            return &parameters[i];
    return NULL;
}

/* FROM:TO of whole numbers is in steps of 1. */
static int take_values(struct loom_queueing_axis *out, const struct parameter *parameter,
                       const char *text, struct loom_error *err)
{
    struct loom_numbers numbers = {.n = 0};
    char steps[128];
    const char *colon = strchr(text, ':');
    bool plain = parameter->whole && colon && !strchr(colon + 1, ':') && !strchr(text, ',');
    snprintf(steps, sizeof steps, "%.100s:1", text);
    int rc = loom_numbers_add(&numbers, plain ? steps : text, parameter->min, parameter->max,
                              "sweep", err);
    for (size_t i = 0; i < numbers.n && !rc; i++)
        if (parameter->whole && numbers.items[i] != (double)(uint64_t)numbers.items[i])
            rc = loom_fail_field(err, LOOM_EUSAGE, "sweep", "sweep %s wants whole numbers, not %g",
                                 parameter->name, numbers.items[i]);
    out->n = numbers.n;
    memcpy(out->values, numbers.items, numbers.n * sizeof *out->values);
    return rc;
}

_Static_assert(sizeof((struct loom_queueing_axis *)0)->values ==
                   sizeof((struct loom_numbers *)0)->items,
               "room for all numbers of a list");

int loom_queueing_axis_parse(struct loom_queueing_axis *out, const char *text,
                             struct loom_error *err)
{
    const char *names[N_PARAMETERS + 1] = {0}, *equals = strchr(text, '=');
    char name[32];
    if (!equals)
        return loom_fail_field(err, LOOM_EUSAGE, "sweep",
                               "sweep wants NAME=VALUES, as lambda=0.1:0.9:0.1, not '%s'", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text < 31 ? equals - text : 31), text);
    const struct parameter *parameter = find_parameter(name);
    for (size_t i = 0; i < N_PARAMETERS; i++)
        names[i] = parameters[i].name;
    if (!parameter)
        return loom_fail_unknown(err, "parameter to sweep", name, names,
                                 "there are lambda, N, think, think-rate, p, service, servers");
    out->name = parameter->name;
    out->label = parameter->label;
    return take_values(out, parameter, equals + 1, err);
}

void loom_queueing_axis_set(const struct loom_queueing_axis *axis, double value,
                            struct loom_queueing_model *model)
{
    find_parameter(axis->name)->set(model, value);
}
