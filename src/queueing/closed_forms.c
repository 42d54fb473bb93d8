/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues with closed forms: M/M/1, M/M/c, M/G/1 and the machine repairman. */
#include <workloom/queueing.h>

#include <math.h>

static int check_positive(double value, const char *name, struct loom_error *err)
{
    return value > 0 && isfinite(value)
               ? 0
               : loom_fail_field(err, LOOM_ERANGE, name, "%s must be a number above 0, not %g",
                                 name, value);
}

static int check_open(double lambda, double service, unsigned servers, struct loom_error *err)
{
    int rc = check_positive(lambda, "lambda", err);
    if (!rc)
        rc = check_positive(service, "service", err);
    if (!rc && servers == 0)
        rc = loom_fail_field(err, LOOM_ERANGE, "servers", "servers must be at least 1");
    if (!rc && lambda * service >= servers)
        rc = loom_fail_field(err, LOOM_ERANGE, "lambda",
                             "lambda %g is not below the service rate %g: there is no steady state",
                             lambda, servers / service);
    return rc;
}

/* By Little's law, from throughput and wait. */
static struct loom_station station(double throughput, double service, unsigned servers, double wait)
{
    return (struct loom_station){
        .throughput = throughput,
        .utilization = throughput * service / servers,
        .wait = wait,
        .response = wait + service,
        .queue = throughput * wait,
        .in_system = throughput * (wait + service),
    };
}

int loom_queueing_mm1(struct loom_station *out, double lambda, double service,
                      struct loom_error *err)
{
    int rc = check_open(lambda, service, 1, err);
    double load = lambda * service;
    if (!rc)
        *out = station(lambda, service, 1, load * service / (1 - load));
    return rc;
}

/* Return the probability of waiting, Erlang's C, by the recursion for Erlang's B. */
static double erlang_c(double offered, unsigned servers)
{
    double blocked = 1;
    for (unsigned k = 1; k <= servers; k++)
        blocked = offered * blocked / (k + offered * blocked);
    double load = offered / servers;
    return blocked / (1 - load * (1 - blocked));
}

int loom_queueing_mmc(struct loom_station *out, double lambda, double service, unsigned servers,
                      struct loom_error *err)
{
    int rc = check_open(lambda, service, servers, err);
    if (rc)
        return rc;
    double spare = servers / service - lambda;
    *out = station(lambda, service, servers, erlang_c(lambda * service, servers) / spare);
    return 0;
}

int loom_queueing_mg1(struct loom_station *out, double lambda, double service, double variance,
                      struct loom_error *err)
{
    int rc = check_open(lambda, service, 1, err);
    if (!rc && !(variance >= 0 && isfinite(variance)))
        rc = loom_fail_field(err, LOOM_ERANGE, "variance",
                             "variance must be a number of at least 0, not %g", variance);
    double second = variance + service * service;
    if (!rc)
        *out = station(lambda, service, 1, lambda * second / (2 * (1 - lambda * service)));
    return rc;
}

/* Mean number of jobs at the queue and mean number in service, by the birth-death chain; weights
 * are scaled down together before they overflow. */
static void repair(double *present, double *busy, double users, double ratio, unsigned servers)
{
    double weight = 1, total = 1, jobs = 0, served = 0;
    for (double n = 1; n <= users; n++) {
        double working = n < servers ? n : servers;
        weight *= (users - n + 1) * ratio / working;
        total += weight;
        jobs += n * weight;
        served += working * weight;
        if (total > 1e250 || jobs > 1e250) {
            weight *= 1e-250;
            total *= 1e-250;
            jobs *= 1e-250;
            served *= 1e-250;
        }
    }
    *present = jobs / total;
    *busy = served / total;
}

int loom_queueing_repairman(struct loom_station *out, uint64_t users, double think, double service,
                            unsigned servers, struct loom_error *err)
{
    int rc = check_positive(service, "service", err);
    if (!rc && (users == 0 || servers == 0))
        rc = loom_fail_field(err, LOOM_ERANGE, users == 0 ? "users" : "servers",
                             "%s must be at least 1", users == 0 ? "users" : "servers");
    if (!rc && !(think >= 0 && isfinite(think)))
        rc = loom_fail_field(err, LOOM_ERANGE, "think",
                             "think must be a number of at least 0, not %g", think);
    if (rc)
        return rc;
    double present = (double)users, busy = users < servers ? present : servers;
    if (think > 0)
        repair(&present, &busy, (double)users, service / think, servers);
    double throughput = busy / service;
    *out = station(throughput, service, servers, (present - busy) / throughput);
    return 0;
}
