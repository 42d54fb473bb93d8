# SPDX-License-Identifier: GPL-3.0-or-later
#
# Prints dist_fits_r.inc for tests/unit/test_dist_fits.c: fits to the samples of dist_samples.tsv (made by dist_fits.py)
# by fitdistrplus, and a normal mixture by mclust.
#
#     Rscript dist_fits.R > dist_fits_r.inc

suppressMessages({library(fitdistrplus); library(mclust)})

samples <- list()
for (line in readLines("dist_samples.tsv")) {
    fields <- strsplit(line, "\t")[[1]]
    samples[[fields[1]]] <- as.numeric(fields[-1])
}

# our name -> R's, and R's estimate in our parameters
ours <- list(
    exponential = list("exp", function(p) 1 / p["rate"]),
    gamma = list("gamma", function(p) c(p["shape"], 1 / p["rate"])),
    weibull = list("weibull", function(p) c(p["shape"], p["scale"])),
    lognormal = list("lnorm", function(p) c(p["meanlog"], p["sdlog"])),
    normal = list("norm", function(p) c(p["mean"], p["sd"])))

row <- function(name, sample, params, ll)
    cat(sprintf('    {"%s", "%s", %s, %d, %d, {%s}, %.12g},\n', name, sample, sample, length(samples[[sample]]),
                length(params), paste(sprintf("%.10g", params), collapse = ", "), ll))

cat(sprintf("/* Made by dist_fits.R with fitdistrplus %s and mclust %s. */\n", packageVersion("fitdistrplus"),
            packageVersion("mclust")))
cat("static const struct expected expected_r[] = {\n")
for (sample in c("runtimes", "flat", "narrow", "arrivals"))
    for (name in names(ours)) {
        x <- samples[[sample]]
        capture.output(fit <- tryCatch(suppressWarnings(fitdist(x, ours[[name]][[1]])), error = function(e) NULL))
        if (is.null(fit)) {
            cat(sprintf("    /* fitdistrplus gives up on %s of %s */\n", name, sample))
            next
        }
        row(name, sample, ours[[name]][[2]](fit$estimate), fit$loglik)
    }
model <- Mclust(samples$logs, G = 2, modelNames = "V", verbose = FALSE)
p <- model$parameters
order <- order(p$mean)
row("normal-mixture", "logs",
    as.vector(rbind(p$pro[order], p$mean[order], sqrt(p$variance$sigmasq[order]))), model$loglik)
cat("};\n")
