/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a job on one machine or cluster waited, as text: one section for each phase of its wait. */
#include "report/explain.h"
#include "trace/instant.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- words ----------------------------------------------------------------------------------- */

const char *loom_explain_plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

const char *loom_explain_span(int64_t span_s, char buf[LOOM_SPAN])
{
    return loom_instant_text(NULL, span_s, buf, LOOM_SPAN);
}

const char *loom_explain_user(int32_t user, char name[LOOM_JOB_NAME])
{
    if (user < 0)
        snprintf(name, LOOM_JOB_NAME, "unknown user");
    else
        snprintf(name, LOOM_JOB_NAME, "user %" PRId32, user);
    return name;
}

void loom_explain_write_rest(FILE *out, size_t n)
{
    if (n > LOOM_LISTED)
        fprintf(out, "    ... and %zu more in the JSON output\n", n - LOOM_LISTED);
}

/* ---- the job --------------------------------------------------------------------------------- */

void loom_explain_write_date(FILE *out, const struct loom_explained_job *view, int64_t time_s)
{
    char date[32];
    if (view->zone)
        fprintf(out, " (%s)", loom_zone_text(view->zone, time_s, date, sizeof date));
}

/* Local jobs of a grid may be submitted before its first grid job. */
static void write_origin(FILE *out, const struct loom_explained_job *view, int64_t submit_s)
{
    int64_t since_s = submit_s - view->first_s;
    char span[LOOM_SPAN];
    fprintf(out, "  times are in seconds of the log");
    if (view->arrival_factor > 0)
        fprintf(out, ", rescaled (interarrival times x %.6g)", view->arrival_factor);
    fprintf(out, "; submitted %s %s the first %sjob (windows of Gantt charts count from it)\n",
            loom_explain_span(llabs(since_s), span), since_s < 0 ? "before" : "after",
            view->cluster ? "grid " : "");
}

void loom_explain_write_times(FILE *out, const struct loom_explained_job *view,
                              const struct loom_trace *log, const struct loom_sim_job *job)
{
    int64_t wait_s = loom_trace_jobs(log)->wait_s[job->row];
    char span[LOOM_SPAN];
    write_origin(out, view, job->submit_s);
    fprintf(out, "  wait in the log: %s\n",
            wait_s < 0 ? "unknown" : loom_explain_span(wait_s, span));
}

static void write_explain_text_job(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_sim_job *job = &view->jobs[view->found->job];
    int64_t wait_s = job->start_s - job->submit_s;
    char name[LOOM_JOB_NAME], span[LOOM_SPAN];
    fprintf(out, "job %s: %" PRId32 " processor%s, estimate %" PRId64 " s\n",
            loom_explain_own_name(view, name), job->procs, loom_explain_plural(job->procs),
            view->found->start.estimate_s);
    fprintf(out, "  submitted at %" PRId64, job->submit_s);
    loom_explain_write_date(out, view, job->submit_s);
    if (wait_s == 0)
        fprintf(out, ", started at once");
    else
        fprintf(out, ", started at %" PRId64 " after a wait of %s", job->start_s,
                loom_explain_span(wait_s, span));
    fprintf(out, ", ended at %" PRId64 "\n", loom_sim_job_end(job));
    loom_explain_write_times(out, view,
                             loom_explain_is_local(view, job) ? view->local : view->trace, job);
}

/* ---- its submission -------------------------------------------------------------------------- */

static void write_ahead(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    char name[LOOM_JOB_NAME];
    for (size_t i = 0; i < found->n_ahead && i < LOOM_LISTED; i++) {
        const struct loom_sim_job *job = &view->jobs[found->ahead[i]];
        fprintf(out, "    job %s: %" PRId32 " processor%s, estimate %" PRId64 " s",
                loom_explain_name(view, found->ahead[i], name), job->procs,
                loom_explain_plural(job->procs), found->ahead_estimate_s[i]);
        if (found->ranked)
            fprintf(out, ", %s", loom_explain_user(job->user, name));
        fprintf(out, "; started at %" PRId64 "\n", job->start_s);
    }
    loom_explain_write_rest(out, found->n_ahead);
}

static void write_submission(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    size_t n = found->n_ahead;
    if (view->sent)
        fprintf(out, "\nOn arrival at %.80s\n", view->cluster);
    else
        fprintf(out, "\nAt submission\n");
    fprintf(out, "  %" PRId64 " of %" PRId64 " processors free, %zu job%s running\n",
            found->free_at_submit, loom_sim_procs(view->sim), found->running_at_submit,
            loom_explain_plural((int64_t)found->running_at_submit));
    if (n == 0)
        fprintf(out, found->ranked ? "  no waiting job submitted earlier\n"
                                   : "  no job ahead in the queue\n");
    else if (found->ranked)
        fprintf(out,
                "  %zu waiting job%s submitted earlier (the policy ranks all jobs in each pass):\n",
                n, loom_explain_plural((int64_t)n));
    else
        fprintf(out, "  %zu job%s ahead in the queue:\n", n, loom_explain_plural((int64_t)n));
    write_ahead(out, view);
}

/* ---- its reservation ------------------------------------------------------------------------- */

static void write_move(FILE *out, const struct loom_explained_job *view,
                       const struct loom_explained_move *move)
{
    /* Without a promise (relaxed), the reserved time is the latest start. */
    bool promised = view->found->promises & (LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL);
    bool earlier = move->to_s < move->from_s;
    char name[LOOM_JOB_NAME];
    fprintf(out, "  at %" PRId64 ": ", move->time_s);
    if (move->from_s < 0) {
        fprintf(out, "%s %" PRId64 "\n", promised ? "reserved for" : "to start by", move->to_s);
        return;
    }
    fprintf(out, "%s from %" PRId64 " to %" PRId64, earlier ? "advanced" : "delayed", move->from_s,
            move->to_s);
    if (move->cause_job != LOOM_NO_JOB)
        fprintf(out, ", as job %s %s", loom_explain_name(view, move->cause_job, name),
                earlier ? "ended" : "exceeded its estimate");
    else if (!earlier)
        fprintf(out, ", as other jobs came before it");
    fprintf(out, "\n");
}

static void write_reservation(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    fprintf(out, "\nReservation\n");
    if (found->n_moves == 0)
        fprintf(out, "  none\n");
    for (size_t i = 0; i < found->n_moves && i < LOOM_LISTED; i++)
        write_move(out, view, &found->moves[i]);
    loom_explain_write_rest(out, found->n_moves);
}

/* ---- starts ---------------------------------------------------------------------------------- */

static void write_backfilled(FILE *out, const struct loom_explained_job *view,
                             const struct loom_explained_start *start)
{
    bool several = view->found->promises & LOOM_PROMISE_ALL;
    char name[LOOM_JOB_NAME];
    if (start->reserved_job == LOOM_NO_JOB) {
        fprintf(out, "backfilled, as there was no reservation that it could delay");
        return;
    }
    loom_explain_name(view, start->reserved_job, name);
    if (start->why == LOOM_WHY_BEFORE)
        fprintf(out,
                "backfilled, as by its estimate it ends at %" PRId64
                ", in time for the %sreservation of job %s at %" PRId64,
                start->time_s + start->estimate_s, several ? "next " : "", name, start->reserved_s);
    else if (several)
        fprintf(
            out,
            "backfilled, as it needs only processors left free by the next reservation, of job %s "
            "at %" PRId64 ", and all later ones",
            name, start->reserved_s);
    else
        fprintf(out,
                "backfilled, as it needs only processors left free by the reservation of job %s at "
                "%" PRId64,
                name, start->reserved_s);
}

/* Why the policy started a job, without line end. */
static void write_why(FILE *out, const struct loom_explained_job *view,
                      const struct loom_explained_start *start)
{
    switch (start->why) {
    case LOOM_WHY_TURN:
        fprintf(out, "first in the policy's order, and enough processors free");
        return;
    case LOOM_WHY_BEFORE:
    case LOOM_WHY_BESIDE:
        write_backfilled(out, view, start);
        return;
    case LOOM_WHY_PLANNED:
        fprintf(out, "its reserved time was reached, which delays no earlier reservation");
        return;
    case LOOM_WHY_OTHER:
        break;
    }
    fprintf(out, "another rule of the policy");
}

static void write_overtakers(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    fprintf(out, "\nOvertaken by\n");
    if (found->n_overtakers == 0)
        fprintf(out, "  no job\n");
    for (size_t i = 0; i < found->n_overtakers && i < LOOM_LISTED; i++) {
        const struct loom_explained_start *start = &found->overtakers[i];
        int32_t procs = view->jobs[start->job].procs;
        char name[LOOM_JOB_NAME];
        fprintf(out, "  at %" PRId64 ": job %s (%" PRId32 " processor%s, estimate %" PRId64 " s): ",
                start->time_s, loom_explain_name(view, start->job, name), procs,
                loom_explain_plural(procs), start->estimate_s);
        write_why(out, view, start);
        loom_explain_write_ranks(out, view, start);
        fprintf(out, "\n");
    }
    loom_explain_write_rest(out, found->n_overtakers);
}

/* ---- its wait -------------------------------------------------------------------------------- */

/* Why the policy did not give it processors that were free. */
static void write_held(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    char name[LOOM_JOB_NAME], span[LOOM_SPAN];
    fprintf(out, "  %s: enough processors free, but ",
            loom_explain_span(found->held_s - found->overlooked_s, span));
    if (found->held_for_job != LOOM_NO_JOB)
        fprintf(out,
                "its start could have delayed the reservation of the first job (last: job %s at "
                "%" PRId64 ")\n",
                loom_explain_name(view, found->held_for_job, name), found->held_for_s);
    else if (found->promises & LOOM_PROMISE_ALL)
        fprintf(out, "reserved for other jobs before its estimate would end\n");
    else if (found->promises & LOOM_PROMISE_ORDER)
        fprintf(out, "the first job of the queue did not fit, and may not be overtaken\n");
    else
        fprintf(out, "the policy held it back for other jobs\n");
}

void loom_explain_write_released(FILE *out, const struct loom_explained_job *view,
                                 const uint32_t *released, size_t n, int64_t time_s)
{
    int64_t procs = 0;
    char name[LOOM_JOB_NAME];
    fprintf(out, "  at %" PRId64 ": ", time_s);
    if (n == 0) {
        fprintf(out, "no job ended");
        return;
    }
    fprintf(out, "job%s", loom_explain_plural((int64_t)n));
    for (size_t i = 0; i < n; i++) {
        procs += view->jobs[released[i]].procs;
        if (i < LOOM_LISTED)
            fprintf(out, "%s %s", i ? "," : "", loom_explain_name(view, released[i], name));
    }
    fprintf(out, "%s ended and released %" PRId64 " processor%s", n > LOOM_LISTED ? ", ..." : "",
            procs, loom_explain_plural(procs));
}

/* What let a job be backfilled that the only reservation had held back: another job has it now, or
 * its time changed. */
static void write_new_reservation(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    const struct loom_explained_start *start = &found->start;
    char first[LOOM_JOB_NAME], other[LOOM_JOB_NAME];
    if (start->reserved_job == LOOM_NO_JOB || found->held_for_job == LOOM_NO_JOB)
        return;
    loom_explain_name(view, start->reserved_job, first);
    if (start->reserved_job != found->held_for_job) {
        fprintf(out, "; job %s had replaced job %s as the first", first,
                loom_explain_name(view, found->held_for_job, other));
        return;
    }
    if (start->reserved_s == found->held_for_s)
        return;
    bool earlier = start->reserved_s < found->held_for_s;
    fprintf(out, "; the reservation of job %s was %s to %" PRId64, first,
            earlier ? "advanced" : "delayed", start->reserved_s);
    if (!earlier && found->extended_job != LOOM_NO_JOB)
        fprintf(out, ", as job %s exceeded its estimate",
                loom_explain_name(view, found->extended_job, other));
    else if (!earlier)
        fprintf(out, ", as other jobs came before it");
}

/* What let it start, where no job ended. */
static const char *change_text(const struct loom_explanation *found)
{
    if (found->start.why == LOOM_WHY_TURN)
        return "; it had become the first in the policy's order";
    if (found->start.why == LOOM_WHY_PLANNED)
        return "; its reserved time was reached";
    if (found->kept == LOOM_KEPT_OVERLOOKED)
        return "; fewer backfill candidates were ahead of it";
    if (found->kept == LOOM_KEPT_HELD && found->promises & LOOM_PROMISE_ALL)
        return "; the reservations of other jobs had changed";
    return "";
}

static bool held_by_only_reservation(const struct loom_explanation *found)
{
    return found->start.why != LOOM_WHY_TURN && found->start.why != LOOM_WHY_PLANNED &&
           found->kept == LOOM_KEPT_HELD && !(found->promises & LOOM_PROMISE_ALL);
}

static void write_end_of_wait(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    loom_explain_write_released(out, view, found->released, found->n_released, found->start.time_s);
    if (found->n_released > 0)
        fprintf(out, ", with %" PRId64 " already free", found->free_before);
    else
        fprintf(out, "%s", change_text(found));
    if (held_by_only_reservation(found))
        write_new_reservation(out, view);
    fprintf(out, "\n");
}

static void write_wait(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    char span[LOOM_SPAN];
    fprintf(out, "\nWait\n");
    if (found->short_s > 0)
        fprintf(out, "  %s: too few processors free\n", loom_explain_span(found->short_s, span));
    if (found->held_s > found->overlooked_s)
        write_held(out, view);
    if (found->overlooked_s > 0)
        fprintf(out,
                "  %s: enough processors free, and no reservation it would have delayed, but the "
                "jobs before it used up the policy's search depth\n",
                loom_explain_span(found->overlooked_s, span));
    write_end_of_wait(out, view);
}

void loom_explain_write(FILE *out, const struct loom_explained_job *view)
{
    const struct loom_explanation *found = view->found;
    char name[LOOM_JOB_NAME];
    if (found->job == LOOM_NO_JOB) {
        fprintf(out, "job %s was not simulated: %s\n", loom_explain_own_name(view, name),
                loom_explain_refusal(found->refused));
        return;
    }
    if (!view->sent)
        write_explain_text_job(out, view);
    write_submission(out, view);
    if (found->at_submit.measure)
        loom_explain_write_weights(out, view);
    if (found->start.time_s > view->jobs[found->job].submit_s) {
        write_reservation(out, view);
        write_overtakers(out, view);
        write_wait(out, view);
    }
    fprintf(out, "\nWhy it started\n  ");
    write_why(out, view, &found->start);
    fprintf(out, "\n");
}
