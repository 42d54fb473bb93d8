/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contrast_script.h - gnuplot commands of the figures that lay traces over each other. */
#ifndef LOOM_REPORT_CONTRAST_SCRIPT_H
#define LOOM_REPORT_CONTRAST_SCRIPT_H

#include "report/figure.h"

/* The reference stands first in the key and below the others, which are thinner. More than six
 * others are one kind: they share a line, the first of them has its name, and the reference is
 * drawn once more on top of them, by a macro. A long key goes above the figure. */
#define OTHERS                                                 \
    "many = sides > 7\n"                                       \
    "style(i) = i == 0 ? 1 : many ? 2 : i + 1\n"               \
    "width(i) = !many ? wide(i, sides) : i == 0 ? 2.2 : 0.8\n" \
    "if (sides > 3 && !many) { set key above horizontal maxcols 3 samplen 2 font ',10' }\n"
#define TOP "linestyle 1 linewidth width(0) notitle\"\n"
#define SIDES "stats data using 1:2 nooutput\nsides = STATS_blocks\n"
#define PLOT_OF(points, how)                                                               \
    OTHERS                                                                                 \
    "top = !many ? '' : \", data index 0 using " points " " how " " TOP                    \
    "plot for [i=0:sides-1] data index i using " points " " how " linestyle style(i) \\\n" \
    "         linewidth width(i) title (many && i > 1 ? '' : columnheader(2)) noenhanced @top\n"
#define PLOT(how) PLOT_OF("1:2", how)
#define PLOT_PERCENT(how) PLOT_OF("1:(100 * $2)", how)
#define PLOT_HURST                                                                           \
    "stats data using 1:2 nooutput\nsides = STATS_blocks / 2\n" OTHERS                       \
    "top = !many ? '' : \", data index sides using 1:2 with lines " TOP                      \
    "plot for [i=0:sides-1] data index i using 1:2 with points linestyle style(i) \\\n"      \
    "         pointsize 0.35 notitle, \\\n"                                                  \
    "     for [i=0:sides-1] '' index i + sides using 1:2 with lines linestyle style(i) \\\n" \
    "         linewidth width(i) title (many && i > 1 ? '' : columnheader(2)) noenhanced @top\n"
/* Distributions: of times or numbers on a logarithmic axis from 1 on, and of days. */
#define CDF "set yrange [0:1]\nset ylabel 'P(X ≤ x)'\n"
#define CCDF LOOM_LOG_Y "set ylabel 'P(X > x)'\n"
#define CURVE_OF(axis, y, what, place, how) \
    axis "set xrange [1:*]\n" y "set xlabel '" what "'\n" SIDES "set key " place "\n" PLOT(how)
#define CDF_OF(axis, what, place) CURVE_OF(axis, CDF, what, place, "with steps")
#define CCDF_OF(axis, what, place) CURVE_OF(axis, CCDF, what, place, "with lines")
#define DAYS_OF(place) \
    CDF "set xlabel 'days'\nset xrange [0:*]\n" SIDES "set key " place "\n" PLOT("with lines")

#endif
