# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rscript cluster.R DIR [SAMPLE...]: what R's mclust makes of the samples that the program cluster left in
# DIR, and how long it takes, in the lines described there. The seed decides which 2000 values mclust
# starts from.

suppressMessages(library(mclust))

arguments <- commandArgs(TRUE)
samples <- if (length(arguments) > 1) arguments[-1] else c("seconds", "continuous")
for (sample in samples) {
    path <- file.path(arguments[1], paste0(sample, ".f64"))
    x <- readBin(path, "double", file.size(path) / 8)
    set.seed(1)
    took <- system.time(table <- mclustBIC(x, G = 1:20, modelNames = c("E", "V"), verbose = FALSE))
    cat(sprintf("time %s 1 %.3f %.3f\n", sample, took[["elapsed"]],
                took[["user.self"]] + took[["sys.self"]]))
    for (model in c("E", "V")) {
        count <- 1:20
        parameters <- if (model == "E") 2 * count else 3 * count - 1
        log_likelihood <- (table[, model] + parameters * log(length(x))) / 2
        log_likelihood[is.na(log_likelihood)] <- NaN
        cat(sprintf("fit %s %s %d %.6f\n", sample, model, count, log_likelihood), sep = "")
    }
}
