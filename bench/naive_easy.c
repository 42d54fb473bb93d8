/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * naive_easy LOG [RUNS [engine]]: EASY backfilling in plain arrays, a yardstick for the engine.
 * Prints the time of one simulation without reading the log, the least of RUNS (default 1) each,
 * and the mean wait, of both:
 *
 *     naive SECONDS MEAN_WAIT_S
 *     engine SECONDS MEAN_WAIT_S
 *
 * With a third argument only the engine runs, for queues too deep for the plain arrays.
 */
#include <workloom/sim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct job {
    int64_t submit_s, run_s, estimate_s;
    int64_t procs;
};

struct running {
    int64_t expected_s, end_s; /* by its estimate, and in fact */
    int64_t procs;
};

struct naive {
    struct job *jobs; /* by submit time */
    size_t n_jobs;
    int64_t free;
    struct job *queue; /* as submitted */
    size_t n_queue;
    struct running *running; /* by expected_s */
    size_t n_running;
    double waits_s;
};

static void start(struct naive *sim, size_t at, int64_t now_s)
{
    struct job job = sim->queue[at];
    memmove(&sim->queue[at], &sim->queue[at + 1], (--sim->n_queue - at) * sizeof job);
    size_t i = sim->n_running++;
    for (; i > 0 && sim->running[i - 1].expected_s > now_s + job.estimate_s; i--)
        sim->running[i] = sim->running[i - 1];
    sim->running[i] = (struct running){now_s + job.estimate_s, now_s + job.run_s, job.procs};
    sim->free -= job.procs;
    sim->waits_s += (double)(now_s - job.submit_s);
}

static void schedule(struct naive *sim, int64_t now_s)
{
    while (sim->n_queue > 0 && sim->queue[0].procs <= sim->free)
        start(sim, 0, now_s);
    if (sim->n_queue < 2)
        return;
    int64_t extra = sim->free - sim->queue[0].procs, shadow_s = now_s;
    for (size_t i = 0; i < sim->n_running; i++) {
        if (extra >= 0 && sim->running[i].expected_s > shadow_s)
            break;
        extra += sim->running[i].procs;
        shadow_s = sim->running[i].expected_s;
    }
    for (size_t i = 1; i < sim->n_queue;) {
        const struct job *job = &sim->queue[i];
        bool in_time = now_s + job->estimate_s <= shadow_s;
        if (job->procs > sim->free || (!in_time && job->procs > extra)) {
            i++;
            continue;
        }
        extra -= in_time ? 0 : job->procs;
        start(sim, i, now_s);
    }
}

static void end_jobs(struct naive *sim, int64_t now_s)
{
    size_t left = 0;
    for (size_t i = 0; i < sim->n_running; i++) {
        if (sim->running[i].end_s > now_s)
            sim->running[left++] = sim->running[i];
        else
            sim->free += sim->running[i].procs;
    }
    sim->n_running = left;
}

static void simulate(struct naive *sim)
{
    for (size_t next = 0; next < sim->n_jobs || sim->n_running > 0;) {
        int64_t now_s = next < sim->n_jobs ? sim->jobs[next].submit_s : INT64_MAX;
        for (size_t i = 0; i < sim->n_running; i++)
            now_s = sim->running[i].end_s < now_s ? sim->running[i].end_s : now_s;
        end_jobs(sim, now_s);
        while (next < sim->n_jobs && sim->jobs[next].submit_s <= now_s)
            sim->queue[sim->n_queue++] = sim->jobs[next++];
        schedule(sim, now_s);
    }
}

/* ---- the log, and the times ------------------------------------------------------------------ */

static void take_jobs(struct naive *sim, const struct loom_trace *trace, int64_t procs)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    uint32_t *rows;
    if (loom_trace_order(&rows, trace, NULL))
        exit(1);
    for (size_t i = 0; i < jobs->n; i++) {
        size_t row = rows[i];
        struct job job = {jobs->submit_s[row], jobs->run_s[row], jobs->request_s[row],
                          loom_job_procs(jobs, row)};
        if (job.submit_s < 0 || job.run_s < 0 || job.procs < 1 || job.procs > procs)
            continue;
        job.estimate_s = job.estimate_s < job.run_s ? job.run_s : job.estimate_s;
        job.estimate_s = job.estimate_s < 1 ? 1 : job.estimate_s;
        sim->jobs[sim->n_jobs++] = job;
    }
    free(rows);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void time_naive(const struct loom_trace *trace, int runs)
{
    size_t n = loom_trace_count(trace) + 1;
    int64_t procs = loom_trace_machine(trace)->max_procs;
    struct naive sim = {.jobs = malloc(n * sizeof *sim.jobs),
                        .queue = malloc(n * sizeof *sim.queue),
                        .running = malloc(n * sizeof *sim.running)};
    double best_s = 1e9;
    if (!sim.jobs || !sim.queue || !sim.running)
        exit(1);
    for (int run = 0; run < runs; run++) {
        double begin_s = seconds();
        sim.n_jobs = 0, sim.free = procs, sim.waits_s = 0;
        take_jobs(&sim, trace, procs);
        simulate(&sim);
        double took_s = seconds() - begin_s;
        best_s = took_s < best_s ? took_s : best_s;
    }
    printf("naive %.6f %.6f\n", best_s, sim.waits_s / (double)sim.n_jobs);
    free(sim.jobs), free(sim.queue), free(sim.running);
}

static void time_engine(const struct loom_trace *trace, int runs)
{
    struct loom_sim *sim;
    double best_s = 1e9, waits_s = 0;
    size_t n;
    if (loom_sim_create(&sim, NULL))
        exit(1);
    for (int run = 0; run < runs; run++) {
        double begin_s = seconds();
        if (loom_sim_run_trace(sim, &(struct loom_sim_options){.scheduler = "easy"}, trace, NULL))
            exit(1);
        double took_s = seconds() - begin_s;
        best_s = took_s < best_s ? took_s : best_s;
    }
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    for (size_t i = 0; i < n; i++)
        waits_s += (double)loom_sim_job_wait(&jobs[i]);
    printf("engine %.6f %.6f\n", best_s, waits_s / (double)n);
    loom_sim_destroy(sim);
}

int main(int argc, char **argv)
{
    struct loom_trace *trace;
    struct loom_error err;
    int runs = argc > 2 ? atoi(argv[2]) : 1;
    if (argc < 2 || runs < 1 || loom_trace_read(&trace, argv[1], NULL, &err)) {
        fprintf(stderr, "naive_easy: usage: naive_easy LOG [RUNS [engine]]\n");
        return 2;
    }
    if (argc < 4)
        time_naive(trace, runs);
    time_engine(trace, runs);
    loom_trace_destroy(trace);
    return 0;
}
