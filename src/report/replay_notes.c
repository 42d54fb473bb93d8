/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a replay shows, in sentences. */
#include "report/replay.h"

#include "base/human.h"
#include "trace/origin.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double LARGE = 0.3; /* bias of the mean wait that is called unexplained; as for levels
                                  * (loom_replay_support) */

struct voice {
    loom_replay_say_fn *say;
    void *context;
};

static void say_about(const struct voice *voice, const char *format, ...) LOOM_PRINTF(2, 3);

static void say_about(const struct voice *voice, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    voice->say(voice->context, text);
}

/* Write a bias to buf: "12.3 % too short", "4,730 times as long". Returns buf. */
static const char *bias_text(const struct loom_replay_errors *errors, char *buf, size_t size)
{
    double bias = loom_replay_bias(errors);
    char count[LOOM_HUMAN];
    if (isnan(bias))
        snprintf(buf, size, "not comparable");
    else if (fabs(bias) < 0.0005)
        snprintf(buf, size, "right on average");
    else if (bias > 2)
        snprintf(buf, size, "%s times as long",
                 bias < 99 ? loom_human_number(1 + bias, count, sizeof count)
                           : loom_human_count((int64_t)(1 + bias), count, sizeof count));
    else
        snprintf(buf, size, "%.1f %% too %s", 100 * fabs(bias), bias < 0 ? "short" : "long");
    return buf;
}

static const char *rank_text(double rank, char *buf, size_t size)
{
    if (isnan(rank))
        snprintf(buf, size, "unknown: all waits are equal");
    else
        snprintf(buf, size, "%.3f", rank);
    return buf;
}

static void say_lead(const struct voice *voice, const struct loom_replay_run *run)
{
    char log[LOOM_HUMAN], wait[LOOM_HUMAN], bias[80], rank[40];
    say_about(voice,
              "Waits simulated under %s are %s: %s against %s in the log; rank correlation %s.",
              run->policy, bias_text(&run->all, bias, sizeof bias),
              loom_human_seconds(run->all.wait_mean_simulated_s, wait, sizeof wait),
              loom_human_seconds(run->all.wait_mean_log_s, log, sizeof log),
              rank_text(run->all.rank_correlation, rank, sizeof rank));
}

/* Which single assumption changes the mean wait most? */
static void say_costliest(const struct voice *voice, const struct loom_replay_report *replay)
{
    const struct loom_replay_run *base = &replay->runs[0], *most = NULL;
    double change = 0;
    char assumed[200], from[80], to[80];
    for (size_t i = 1; i < replay->n_runs; i++) {
        const struct loom_replay_run *run = &replay->runs[i];
        double by = fabs(run->all.wait_mean_simulated_s - base->all.wait_mean_simulated_s);
        if (!run->searched && run->assumptions && by > change) {
            most = run;
            change = by;
        }
    }
    if (most)
        say_about(voice,
                  "Of single assumptions '%s' changes the mean wait most: %s without, %s with it.",
                  loom_replay_assumed(most, assumed, sizeof assumed),
                  bias_text(&base->all, from, sizeof from), bias_text(&most->all, to, sizeof to));
}

/* What the errors of a replay let nobody trust; "" where they are small. */
static const char *doubt(const struct loom_replay_errors *errors)
{
    static const char *const doubts[] = {
        [LOOM_SUPPORTS_LEVELS] = "",
        [LOOM_SUPPORTS_DIFFERENCES] = "trust differences between policies, not levels",
        [LOOM_SUPPORTS_NOTHING] =
            "the log's waits come from other rules and support neither levels nor differences",
    };
    return doubts[loom_replay_support(errors)];
}

/* The run of the same policy that assumes nothing. */
static const struct loom_replay_run *plain_of(const struct loom_replay_report *replay,
                                              const struct loom_replay_run *run)
{
    for (size_t i = 0; i < replay->n_runs; i++)
        if (!replay->runs[i].assumptions && strcmp(replay->runs[i].policy, run->policy) == 0)
            return &replay->runs[i];
    return run;
}

/* The choice is made by means, and by the order of waits: what is right on average may be further
 * off for the jobs than what is not. The mean |error| does not choose, as waits near 0 have the
 * least (docs/methods/experiment.md). */
static void say_job_by_job(const struct voice *voice, const struct loom_replay_report *replay)
{
    const double clear = 1.1;
    const struct loom_replay_run *run = &replay->runs[replay->chosen];
    const struct loom_replay_run *plain = plain_of(replay, run);
    double error_s = run->all.abs_error_mean_s, none_s = run->all.wait_mean_log_s;
    char ours[LOOM_HUMAN], theirs[LOOM_HUMAN], none[LOOM_HUMAN], zero[80] = "";
    if (!(error_s > clear * plain->all.abs_error_mean_s))
        return;
    if (error_s > none_s)
        snprintf(zero, sizeof zero, "; waits of 0: %s",
                 loom_human_seconds(none_s, none, sizeof none));
    say_about(voice,
              "Job by job it is further off than plain %s (mean |error| %s against %s%s): right on "
              "average for another reason.",
              plain->policy, loom_human_seconds(error_s, ours, sizeof ours),
              loom_human_seconds(plain->all.abs_error_mean_s, theirs, sizeof theirs), zero);
}

static void say_unexplained(const struct voice *voice, const struct loom_replay_report *replay)
{
    const struct loom_replay_errors *errors = &replay->runs[replay->chosen].second;
    if (fabs(loom_replay_bias(errors)) > LARGE)
        say_about(
            voice,
            "Unexplained: no combination that was tried and chosen on the first half brings the "
            "mean wait of the second half within %.0f %%; %s.",
            100 * LARGE, doubt(errors));
}

static void say_chosen(const struct voice *voice, const struct loom_replay_report *replay)
{
    const struct loom_replay_run *run = &replay->runs[replay->chosen];
    char assumed[200], first[80], second[80], rank[40];
    bool explains = fabs(loom_replay_bias(&run->first)) <= LARGE;
    loom_replay_assumed(run, assumed, sizeof assumed);
    say_about(voice,
              "%s %s%s%s: waits are %s there, and %s in the second half (rank correlation %s).",
              explains ? "The first half is explained best by" : "Nearest to the first half is",
              run->policy, *assumed ? " with " : "", assumed,
              bias_text(&run->first, first, sizeof first),
              bias_text(&run->second, second, sizeof second),
              rank_text(run->second.rank_correlation, rank, sizeof rank));
    say_job_by_job(voice, replay);
    say_unexplained(voice, replay);
}

/* Of one run alone nothing is chosen. */
static void say_alone(const struct voice *voice, const struct loom_replay_errors *errors)
{
    const char *words = doubt(errors);
    if (errors->jobs > 0 && *words)
        say_about(voice, "Unexplained: %s.", words);
}

void loom_replay_conclusions(const struct loom_replay_report *replay, loom_replay_say_fn *say_fn,
                             void *context)
{
    const struct voice voice = {say_fn, context};
    say_lead(&voice, &replay->runs[0]);
    if (replay->n_runs == 1) {
        say_alone(&voice, &replay->runs[0].all);
        return;
    }
    say_costliest(&voice, replay);
    say_chosen(&voice, replay);
}

const char *loom_replay_resampled(const struct loom_trace *trace)
{
    return loom_trace_resampled(trace)
               ? "The jobs are resampled: their logged waits are those of the original "
                 "submissions, and a simulation cannot be compared with them."
               : "";
}

const char *loom_replay_caution(const struct loom_replay_errors *errors, const char *policy,
                                size_t tried, char *buf, size_t size)
{
    const char *words = doubt(errors);
    char text[80], rank[40], of[60] = "";
    buf[0] = '\0';
    if (errors->jobs == 0 || isnan(loom_replay_bias(errors)))
        return buf;
    if (tried > 1)
        snprintf(of, sizeof of, " (nearest of %zu)", tried);
    snprintf(buf, size, "A replay of the log under %s%s gives waits %s (rank correlation %s)%s%s.",
             policy, of, bias_text(errors, text, sizeof text),
             rank_text(errors->rank_correlation, rank, sizeof rank), *words ? ": " : "", words);
    return buf;
}

static void say_outages(const struct voice *voice, const struct loom_replay_report *replay)
{
    double down_s = 0;
    char text[LOOM_HUMAN];
    for (size_t i = 0; i < replay->n_outages; i++)
        down_s += (double)(replay->outages[i].to_s - replay->outages[i].from_s);
    if (replay->n_outages > 0)
        say_about(voice,
                  "The log shows %zu %s (nothing runs or starts while jobs wait), %s in all.",
                  replay->n_outages, replay->n_outages == 1 ? "outage" : "outages",
                  loom_human_seconds(down_s, text, sizeof text));
}

static void say_window(const struct voice *voice, const struct loom_replay_report *replay)
{
    const struct loom_trace_window *window = &replay->window;
    char length[LOOM_HUMAN], count[LOOM_HUMAN];
    if (replay->outside > 0)
        say_about(
            voice,
            "Only jobs submitted in the %s in which the log is complete are compared; %s outside "
            "it "
            "are simulated.",
            loom_human_seconds((double)(window->to_s - window->from_s), length, sizeof length),
            loom_human_count(replay->outside, count, sizeof count));
}

static void say_excluded(const struct voice *voice, const struct loom_replay_report *replay)
{
    char names[200];
    const struct loom_replay_run run = {.assumptions = replay->excluded};
    if (replay->excluded)
        say_about(voice, "Not tried, as parts of the machine have processors of their own: %s.",
                  loom_replay_assumed(&run, names, sizeof names));
}

void loom_replay_notes(const struct loom_replay_report *replay, loom_replay_say_fn *say_fn,
                       void *context)
{
    const struct voice voice = {say_fn, context};
    char count[LOOM_HUMAN], peak[LOOM_HUMAN];
    say_window(&voice, replay);
    say_outages(&voice, replay);
    say_excluded(&voice, replay);
    if (replay->size_source != LOOM_SIZE_HEADER)
        say_about(&voice, "The log does not name the size of its machine; %s processors are %s.",
                  loom_human_count(replay->procs, count, sizeof count),
                  loom_size_source_text(replay->size_source));
    if (replay->peak_procs > replay->procs)
        say_about(
            &voice,
            "By waits and runtimes of the log, %s processors are in use at once on a machine of "
            "%s: records are wrong, or jobs share processors.",
            loom_human_count(replay->peak_procs, peak, sizeof peak),
            loom_human_count(replay->procs, count, sizeof count));
    if (replay->negative_waits > 0)
        say_about(&voice, "Jobs with a negative wait, which cannot be, are not compared: %s.",
                  loom_human_count(replay->negative_waits, count, sizeof count));
    if (replay->no_wait > 0)
        say_about(&voice, "Simulated jobs without a wait in the log are not compared: %s.",
                  loom_human_count(replay->no_wait, count, sizeof count));
    if (replay->not_simulated > 0)
        say_about(&voice,
                  "Jobs that could not be simulated (too wide, or no runtime or processors): %s.",
                  loom_human_count(replay->not_simulated, count, sizeof count));
}
