/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario may say, and what excludes what. */
#include <workloom/experiment.h>

#include <inttypes.h>
#include <string.h>

struct loom_scenario loom_scenario(void)
{
    return (struct loom_scenario){.policy = "easy",
                                  .load_by = LOOM_LOAD_ARRIVALS,
                                  .by = LOOM_NO_CLASSES,
                                  .keep = LOOM_KEEP_WITHIN,
                                  .seed = 1};
}

static int check_scenario_numbers(const struct loom_scenario *scenario, struct loom_error *err)
{
    if (!(scenario->load >= 0 && scenario->load <= LOOM_LOAD_MOST))
        return loom_fail_field(err, LOOM_ERANGE, "load", "load must be 0 to %d, not %g",
                               LOOM_LOAD_MOST, scenario->load);
    if ((int)scenario->load_by < 0 || (int)scenario->load_by >= LOOM_LOAD_WAYS)
        return loom_fail_field(err, LOOM_ERANGE, "load_by",
                               "load_by must be a way to change the load, not %d",
                               (int)scenario->load_by);
    if ((unsigned)scenario->overrun > LOOM_OVERRUN_EXTEND)
        return loom_fail_field(err, LOOM_ERANGE, "overrun", "overrun must be a rule, not %d",
                               (int)scenario->overrun);
    if ((unsigned)scenario->compat > LOOM_COMPAT_PYSS)
        return loom_fail_field(err, LOOM_ERANGE, "compat", "compat must be a simulator, not %d",
                               (int)scenario->compat);
    if (scenario->by < LOOM_NO_CLASSES || scenario->by >= LOOM_CLASS_KINDS)
        return loom_fail_field(err, LOOM_ERANGE, "by",
                               "by must be LOOM_NO_CLASSES or a kind of class, not %d",
                               scenario->by);
    if ((unsigned)scenario->correction >= LOOM_CORRECTIONS)
        return loom_fail_field(err, LOOM_ERANGE, "correction", "correction must be a rule, not %d",
                               (int)scenario->correction);
    const struct loom_sim_trim *trim = &scenario->trim;
    if (trim->warm_up_jobs < 0 || trim->warm_up_s < 0 || trim->cool_down_jobs < 0 ||
        trim->cool_down_s < 0)
        return loom_fail(err, LOOM_ERANGE, "warm-up and cool-down cannot be negative");
    return 0;
}

/* What a grid has no meaning for. */
static int check_grid(const struct loom_scenario *scenario, struct loom_error *err)
{
    if (scenario->users)
        return loom_fail_field(
            err, LOOM_EUSAGE, "users",
            "users excludes a grid: users react or are resampled on one machine");
    if (scenario->compat != LOOM_COMPAT_NONE)
        return loom_fail_field(err, LOOM_EUSAGE, "compat",
                               "compat excludes a grid, as pyss simulates one machine");
    if (scenario->predict_waits)
        return loom_fail_field(err, LOOM_EUSAGE, "predict_waits",
                               "predict_waits excludes a grid: waits are predicted on one machine");
    if (scenario->load > 0 && scenario->load_by == LOOM_LOAD_SIZE)
        return loom_fail_field(err, LOOM_EUSAGE, "load_by",
                               "load_by size excludes a grid, whose platform sets the sizes");
    if (scenario->downtime || scenario->limits || scenario->split)
        return loom_fail_field(err, LOOM_EUSAGE, "downtime limits split",
                               "downtime, limits and split exclude a grid");
    return 0;
}

/* What constraints of the machine exclude, and a policy that another simulator has in another form.
 */
static int check_exclusions(const struct loom_scenario *scenario, struct loom_error *err)
{
    bool numbers = scenario->limits || scenario->split;
    if (numbers && scenario->users)
        return loom_fail_field(err, LOOM_EUSAGE, "limits split",
                               "limits and split exclude users who react or are resampled");
    if (scenario->split && scenario->load > 0 && scenario->load_by == LOOM_LOAD_SIZE)
        return loom_fail_field(err, LOOM_EUSAGE, "load_by",
                               "load_by size excludes split, which sets the sizes");
    if ((numbers || scenario->downtime) && (scenario->explain || scenario->keep & LOOM_KEEP_STARTS))
        return loom_fail_field(err, LOOM_EUSAGE, "explain",
                               "explain excludes downtime, limits and split");
    if (scenario->urgent && !scenario->trace)
        return loom_fail_field(err, LOOM_EUSAGE, "urgent", "urgent needs a trace");
    if (scenario->compat != LOOM_COMPAT_NONE && scenario->predict_waits)
        return loom_fail_field(err, LOOM_EUSAGE, "predict_waits compat",
                               "predict_waits excludes compat: waits are predicted by our rules");
    if (scenario->compat == LOOM_COMPAT_PYSS && scenario->policy &&
        strncmp(scenario->policy, "lookahead", strcspn(scenario->policy, ":")) == 0)
        return loom_fail_field(err, LOOM_EUSAGE, "compat",
                               "compat pyss excludes 'lookahead': pyss has another form of it");
    return 0;
}

static int check_predictor(const struct loom_scenario *scenario, struct loom_error *err)
{
    if (scenario->estimator)
        return loom_fail_field(err, LOOM_EUSAGE, "predictor estimator",
                               "a scenario has a predictor or an estimator, not both");
    struct loom_predictor *predictor;
    int rc = loom_predictor_create(&predictor, scenario->predictor, err);
    if (!rc)
        loom_predictor_destroy(predictor);
    return rc;
}

int loom_scenario_check(const struct loom_scenario *scenario, struct loom_error *err)
{
    bool grid = scenario->system && loom_system_platform(scenario->system);
    int sources = !!scenario->trace + !!scenario->model + !!scenario->resampler;
    if (sources != 1)
        return loom_fail(err, LOOM_EUSAGE,
                         "a scenario takes its jobs from one of trace, model and resampler; %d are "
                         "set",
                         sources);
    int rc = check_scenario_numbers(scenario, err);
    if (!rc && grid)
        rc = check_grid(scenario, err);
    if (!rc)
        rc = check_exclusions(scenario, err);
    if (!rc && scenario->predictor)
        rc = check_predictor(scenario, err);
    if (!rc)
        rc = loom_scheduler_check(scenario->schedulers, scenario->policy, err);
    if (!rc && scenario->users && scenario->users->behaviour)
        rc = loom_behaviour_check(scenario->users->behaviour, err);
    if (!rc && scenario->users && scenario->explain)
        rc =
            loom_fail_field(err, LOOM_EUSAGE, "explain",
                            "explain excludes users who react or are resampled; write the schedule "
                            "and explain a job of it");
    return rc;
}
