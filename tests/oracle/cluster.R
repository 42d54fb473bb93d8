# SPDX-License-Identifier: GPL-3.0-or-later
#
# What R's mclust makes of the samples of tests/unit/test_cluster.c, as cluster.inc, which that test includes:
#
#     test_cluster --write DIR && Rscript cluster.R DIR > cluster.inc
#
# For each sample: the log-likelihood of every model (NAN where mclust gives up), the choice by BIC
# with its parameters in order of the means, and the sizes of the groups mclust starts from.
# Samples of more than 2000 values are started from a random part, for which several seeds are tried
# and the highest log-likelihood is kept.

suppressMessages(library(mclust))

numbers <- function(x) paste(ifelse(is.na(x), "NAN", sprintf("%.17g", x)), collapse = ", ")

log_likelihoods <- function(x, seed) {
    set.seed(seed)
    table <- mclustBIC(x, G = 1:9, modelNames = c("E", "V"), verbose = FALSE)
    list(table = table, values = cbind(table[, "E"] + 2 * (1:9) * log(length(x)),
                                       table[, "V"] + (3 * (1:9) - 1) * log(length(x))) / 2)
}

start_sizes <- function(x, k) {
    groups <- mclust:::qclass(x, k)
    c(tabulate(groups, k), rep(0, 9 - k))
}

write_sample <- function(name, x) {
    found <- log_likelihoods(x, 1)
    best <- found$values
    if (length(x) > mclust.options("subset"))
        for (seed in 2:4) best <- pmax(best, log_likelihoods(x, seed)$values, na.rm = TRUE)
    set.seed(1)
    chosen <- Mclust(x, x = found$table, verbose = FALSE)
    parameters <- chosen$parameters
    order <- order(parameters$mean)
    sd <- rep(sqrt(parameters$variance$sigmasq), length.out = chosen$G)
    cat(sprintf("    {\n        .name = \"%s\",\n        .n = %d,\n", name, length(x)))
    cat(sprintf("        .log_likelihoods = {{%s},\n            {%s}},\n", numbers(best[, 1]), numbers(best[, 2])))
    cat(sprintf("        .variance = %s,\n        .count = %d,\n",
                if (chosen$modelName == "V") "LOOM_VARIANCE_VARYING" else "LOOM_VARIANCE_EQUAL", chosen$G))
    cat(sprintf("        .weights = {%s},\n", numbers(parameters$pro[order])))
    cat(sprintf("        .means = {%s},\n", numbers(parameters$mean[order])))
    cat(sprintf("        .sds = {%s},\n", numbers(sd[order])))
    cat("        .start_sizes = {\n")
    for (k in 2:9) cat(sprintf("            {%s},\n", paste(start_sizes(x, k), collapse = ", ")))
    cat("        },\n    },\n")
}

directory <- commandArgs(TRUE)[1]
cat(sprintf("/* Made by cluster.R with mclust %s. */\n", packageVersion("mclust")))
cat("/* Old Faithful: lengths of eruptions in milliminutes, R's faithful$eruptions. */\n")
cat("static const short geyser[] = {")
cat(strwrap(paste(sprintf("%d", round(1000 * faithful$eruptions)), collapse = ", "), 96, prefix = "\n    "),
    sep = "")
cat("\n};\n\nstatic const struct oracle oracles[] = {\n")
for (name in c("three", "equal", "seconds", "large", "many")) {
    path <- file.path(directory, paste0(name, ".f64"))
    write_sample(name, readBin(path, "double", file.size(path) / 8))
}
write_sample("geyser", faithful$eruptions)
cat("};\n")
