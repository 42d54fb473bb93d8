#!/usr/bin/env Rscript
# SPDX-License-Identifier: GPL-3.0-or-later
# Coverage of the intervals of paired differences and ratios by R, for the table in docs/validation/experiment.md beside that of
# tests/unit/test_pair_coverage.c:   Rscript pair_coverage.R
# An interval of a ratio has r if the interval of mean(a - r b) has 0, so that no ends are needed here. One set of
# resamples serves 20 trials.
set.seed(7)
pairs <- 30
trials <- 2000
rounds <- 2000
correlated <- function() {
    common <- rnorm(pairs, 0, sqrt(0.9))
    cbind(common + rnorm(pairs, 0, sqrt(0.1)), common + rnorm(pairs, 0, sqrt(0.1)))
}
kinds <- list(
    normal = function() cbind(12, 10)[rep(1, pairs), ] + 3 * correlated(),
    exponential = function() {
        u <- pnorm(correlated())
        cbind(qexp(u[, 1], 1 / 12), qexp(u[, 2], 1 / 10))
    },
    "lognormal, sigma 1" = function() exp(correlated()) %*% diag(c(1.2, 1)),
    "lognormal, nearly proportional" = function() {
        b <- rlnorm(pairs)
        cbind(1.2 * b * (1 + rnorm(pairs, 0, 0.01)), b)
    },
    "lognormal, not correlated" = function() cbind(1.2 * rlnorm(pairs), rlnorm(pairs))
)
truth <- c(2, 2, rep(0.2 * exp(0.5), 3))

# Is mu in the intervals of the mean of x: of the default, t, percentiles, the bootstrap-t?
holds <- function(x, mu, resamples, level) {
    u <- x - mean(x)
    m <- as.vector(resamples %*% u) / pairs
    error <- sqrt(pmax(as.vector(resamples %*% u^2) - pairs * m^2, 0) / (pairs - 1) / pairs)
    tails <- c((1 - level) / 2, (1 + level) / 2)
    q <- quantile(m / error, tails)
    middle <- quantile(m, tails)
    t <- mean(x) - mu
    percentile <- middle[1] <= -t && -t <= middle[2]
    t <- t / (sd(x) / sqrt(pairs))
    studentized <- q[1] <= t && t <= q[2]
    student <- abs(t) <= qt(tails[2], pairs - 1)
    c(studentized || student, student, percentile, studentized)
}

for (level in c(0.95, 1 - 0.05 / 6)) {
    for (k in seq_along(kinds)) {
        hits <- matrix(0, 4, 2)
        for (trial in seq_len(trials)) {
            if (trial %% 20 == 1) resamples <- t(rmultinom(rounds, pairs, rep(1, pairs)))
            x <- kinds[[k]]()
            hits[, 1] <- hits[, 1] + holds(x[, 1] - x[, 2], truth[k], resamples, level)
            hits[, 2] <- hits[, 2] + holds(x[, 1] - 1.2 * x[, 2], 0, resamples, level)
        }
        cat(sprintf("%-31s %-11s %5.2f %%: difference %5.1f %%, ratio %5.1f %%\n", names(kinds)[k],
                    c("default", "t", "bootstrap", "bootstrap-t"), 100 * level, 100 * hits[, 1] / trials,
                    100 * hits[, 2] / trials), sep = "")
    }
}
