#!/usr/bin/env Rscript
# SPDX-License-Identifier: GPL-3.0-or-later
# Holm's adjustment, Wilson's interval and the power of the t test by R, for
# tests/unit/test_mean_intervals.c:   Rscript mean_intervals.R > mean_intervals_r.inc
hex <- function(x) paste0("{", paste(sprintf("%.17g", x), collapse = ", "), "}")
cat("/* Made by mean_intervals.R with", R.version.string, "*/\n")

cat("#ifdef HOLM\n")
for (p in list(c(0.01, 0.04, 0.03, 0.005), c(0.2), c(0.5, 0.9, 0.5), c(0.001, 0.001, 0.8, 0.02, 0.04, 0),
               c(1, 1e-9, 0.3))) {
  cat(sprintf("{%d, %s, %s},\n", length(p), hex(p), hex(p.adjust(p, "holm"))))
}
cat("#endif\n#ifdef WILSON\n")
for (case in list(c(0, 1), c(1, 1), c(3, 10), c(25, 50), c(49, 50), c(700, 1000))) {
  ends <- suppressWarnings(prop.test(case[1], case[2], correct = FALSE)$conf.int)
  cat(sprintf("{%d, %d, %s},\n", case[1], case[2], hex(ends)))
}
cat("#endif\n#ifdef POWER\n")
for (case in list(c(1, 2, 5), c(0.5, 1, 30), c(0.2, 1, 30), c(3, 1, 2), c(0.05, 1, 5000))) {
  power <- power.t.test(n = case[3], delta = case[1], sd = case[2], type = "one.sample", strict = TRUE)$power
  needed <- ceiling(power.t.test(power = 0.8, delta = case[1], sd = case[2], type = "one.sample", strict = TRUE,
                                 tol = 1e-9)$n)
  cat(sprintf("{%g, %g, %d, %.17g, %d},\n", case[1], case[2], case[3], power, needed))
}
cat("#endif\n")
