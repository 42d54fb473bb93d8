/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The option --estimates of commands that read a trace: its requested times replaced. */
#include "command.h"

#include <inttypes.h>
#include <jansson.h>

int take_request_change(struct loom_request_change *out, const struct invocation *call,
                        struct loom_error *err)
{
    *out = (struct loom_request_change){
        .seed = seed_of(call),
        .replication = (uint64_t)loom_params_int(call->params, "replication"),
    };
    return loom_request_rule_parse(&out->how, &out->factor,
                                   loom_params_text(call->params, "estimates"),
                                   LOOM_REQUESTS_OF_TRACE, err);
}

void say_request_change(const struct invocation *call, const struct loom_request_change *change,
                        const struct loom_trace *trace)
{
    char how[LOOM_REQUEST_RULE_TEXT];
    size_t jobs = loom_trace_count(trace);
    if (change->how == LOOM_REQUESTS_REQUESTED)
        return;
    say(call, "requested times set to %s: %" PRId64 " of %zu %s changed",
        loom_request_rule_text(how, sizeof how, change->how, change->factor), change->changed, jobs,
        jobs == 1 ? "job" : "jobs");
}

json_t *request_change_json(const struct loom_request_change *change)
{
    char how[LOOM_REQUEST_RULE_TEXT];
    loom_request_rule_text(how, sizeof how, change->how, change->factor);
    bool random = loom_request_rule_random(change->how);
    return json_pack("{s:s, s:o, s:o, s:I}", "estimates", how, "seed",
                     random ? json_integer((json_int_t)change->seed) : json_null(), "replication",
                     random ? json_integer((json_int_t)change->replication) : json_null(),
                     "changed", (json_int_t)change->changed);
}
