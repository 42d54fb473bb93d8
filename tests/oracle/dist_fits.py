#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints dist_fits.inc for tests/unit/test_dist_fits.c: small samples, and maximum likelihood fits to them. Closed
forms and equations are solved by SciPy; everything else is maximised directly, from many starts, by methods that have
nothing in common with expectation maximisation. Writes the samples to dist_samples.tsv for dist_fits.R, too.

    python3 dist_fits.py > dist_fits.inc
"""
import numpy as np
import scipy
from scipy import optimize, special, stats

rng = np.random.default_rng(2003)


def mixed(n, share, first, second):
    return np.where(rng.random(n) < share, first(n), second(n))


def samples():
    g, e = rng.gamma, rng.exponential
    return {
        "runtimes": np.ceil(rng.lognormal(6, 2, 90)),
        "flat": np.round(g(0.31, 3874, 80) + 0.001, 3),
        "narrow": np.round(g(40, 2.5, 60), 2),
        "arrivals": np.round(172.2 * (rng.random(120) ** -1.26 - 1) / 1.26, 2),
        "bounded": np.round(100 * (1 - rng.random(100) ** 0.3) / 0.3, 2),
        "unit": np.round(rng.beta(3, 3, 70), 4),
        "counts": rng.zipf(2.26, 150).astype(float),
        "stages": np.round(mixed(200, 0.7, lambda n: e(10, n), lambda n: e(1000, n)) + 0.01, 2),
        "logs": np.round(mixed(300, 0.685, lambda n: g(4.2, 0.94, n), lambda n: g(312, 0.03, n)), 4),
    }


def maximise(log_likelihood, starts):
    """The best of many runs of Nelder and Mead's method, started again from where it ended."""
    best = None
    for start in starts:
        at = np.array(start, float)
        for _ in range(3):
            run = optimize.minimize(lambda u: -log_likelihood(u), at, method="Nelder-Mead",
                                    options={"xatol": 1e-11, "fatol": 1e-13, "maxiter": 20000,
                                             "maxfev": 20000})
            at = run.x
        if best is None or run.fun < best.fun:
            best = run
    return best.x


def weibull(x):
    y = np.log(x)
    f = lambda k: (np.exp(k * (y - y.max())) * y).sum() / np.exp(k * (y - y.max())).sum() - 1 / k - y.mean()
    k = optimize.brentq(f, 1e-3, 1e3, xtol=1e-15, rtol=1e-14)
    return k, np.exp(y.max() + np.log(np.exp(k * (y - y.max())).mean()) / k)


def gp(x):
    f = lambda u: stats.genpareto.logpdf(x, u[0], scale=np.exp(u[1])).sum()
    k, b = maximise(f, [(0.5, np.log(np.median(x))), (1.5, np.log(np.median(x))), (-0.2, np.log(x.mean() * 2))])
    return k, np.exp(b)


def pareto(x):
    return 1 / np.log(x / x.min()).mean(), x.min()


def beta(x):
    f = lambda a: -stats.beta.logpdf(x, a, a).sum()
    return (optimize.minimize_scalar(f, bounds=(0.01, 100), method="bounded", options={"xatol": 1e-12}).x,)


def zipf(x):
    f = lambda a: a * np.log(x).mean() + np.log(special.zeta(a))
    return (optimize.minimize_scalar(f, bounds=(1.01, 20), method="bounded", options={"xatol": 1e-12}).x,)


def erlang(x):
    best = max(range(1, 400), key=lambda k: stats.gamma.logpdf(x, k, scale=x.mean() / k).sum())
    return best, x.mean() / best


def mixture(x, logpdf, starts):
    """Two components: u is the logit of the first weight, then the coordinates of the two."""
    def f(u):
        w = special.expit(u[0])
        half = (len(u) - 1) // 2
        return np.logaddexp(np.log(w) + logpdf(x, *u[1:1 + half]),
                            np.log1p(-w) + logpdf(x, *u[1 + half:])).sum()
    u = maximise(f, starts)
    half = (len(u) - 1) // 2
    parts = sorted([(u[1:1 + half], special.expit(u[0])), (u[1 + half:], special.expit(-u[0]))],
                   key=lambda part: part[0][0])
    return parts


def hyperexponential(x):
    starts = [(0, np.log(np.quantile(x, a)), np.log(np.quantile(x, b))) for a, b in [(.25, .9), (.5, .98)]]
    parts = mixture(x, lambda v, m: stats.expon.logpdf(v, scale=np.exp(m)), starts)
    return [v for u, w in parts for v in (w, np.exp(u[0]))]


def hypererlang(x):
    best = None
    for order in range(1, 10):
        starts = [(0, np.log(np.quantile(x, a) / order), np.log(np.quantile(x, b) / order))
                  for a, b in [(.25, .9), (.4, .8)]]
        parts = mixture(x, lambda v, m: stats.gamma.logpdf(v, order, scale=np.exp(m)), starts)
        value = log_likelihood("hypererlang", [order] + [v for u, w in parts for v in (w, np.exp(u[0]))], x)
        if best is None or value > best[0]:
            best = value, order, parts
    return [best[1]] + [v for u, w in best[2] for v in (w, np.exp(u[0]))]


def hypergamma(x):
    starts = [(0.8, np.log(4), np.log(4), np.log(9.3), np.log(200))]
    parts = mixture(x, lambda v, m, k: stats.gamma.logpdf(v, np.exp(k), scale=np.exp(m - k)), starts)
    return [v for u, w in parts for v in (w, np.exp(u[1]), np.exp(u[0] - u[1]))]


def normal_mixture(x):
    starts = [(0.8, 4, np.log(2), 9.3, np.log(0.5))]
    parts = mixture(x, lambda v, m, s: stats.norm.logpdf(v, m, np.exp(s)), starts)
    return [v for u, w in parts for v in (w, u[0], np.exp(u[1]))]


def log_likelihood(name, p, x):
    dist = {
        "exponential": lambda: stats.expon.logpdf(x, scale=p[0]),
        "gamma": lambda: stats.gamma.logpdf(x, p[0], scale=p[1]),
        "erlang": lambda: stats.gamma.logpdf(x, p[0], scale=p[1]),
        "weibull": lambda: stats.weibull_min.logpdf(x, p[0], scale=p[1]),
        "lognormal": lambda: stats.lognorm.logpdf(x, p[1], scale=np.exp(p[0])),
        "normal": lambda: stats.norm.logpdf(x, p[0], p[1]),
        "gp": lambda: stats.genpareto.logpdf(x, p[0], scale=p[1]),
        "pareto": lambda: stats.pareto.logpdf(x, p[0], scale=p[1]),
        "beta": lambda: stats.beta.logpdf(x, p[0], p[0]),
        "zipf": lambda: -p[0] * np.log(x) - np.log(special.zeta(p[0])),
        "hyperexponential": lambda: np.logaddexp(np.log(p[0]) + stats.expon.logpdf(x, scale=p[1]),
                                                 np.log(p[2]) + stats.expon.logpdf(x, scale=p[3])),
        "hypererlang": lambda: np.logaddexp(np.log(p[1]) + stats.gamma.logpdf(x, p[0], scale=p[2]),
                                            np.log(p[3]) + stats.gamma.logpdf(x, p[0], scale=p[4])),
        "hypergamma": lambda: np.logaddexp(np.log(p[0]) + stats.gamma.logpdf(x, p[1], scale=p[2]),
                                           np.log(p[3]) + stats.gamma.logpdf(x, p[4], scale=p[5])),
        "normal-mixture": lambda: np.logaddexp(np.log(p[0]) + stats.norm.logpdf(x, p[1], p[2]),
                                               np.log(p[3]) + stats.norm.logpdf(x, p[4], p[5])),
    }
    return dist[name]().sum()


FITS = {
    "exponential": lambda x: (x.mean(),),
    "gamma": lambda x: (lambda k, _, b: (k, b))(*stats.gamma.fit(x, floc=0)),
    "weibull": weibull,
    "lognormal": lambda x: (np.log(x).mean(), np.log(x).std()),
    "normal": lambda x: (x.mean(), x.std()),
    "gp": gp,
    "pareto": pareto,
    "erlang": erlang,
    "beta": beta,
    "zipf": zipf,
    "hyperexponential": hyperexponential,
    "hypererlang": hypererlang,
    "hypergamma": hypergamma,
    "normal-mixture": normal_mixture,
}
PLAIN = ["exponential", "gamma", "weibull", "lognormal", "normal", "gp", "pareto", "erlang"]
CASES = {
    "runtimes": PLAIN, "flat": PLAIN, "narrow": PLAIN[1:5] + ["erlang"], "arrivals": PLAIN,
    "bounded": ["gp", "normal", "gamma"], "unit": ["beta"], "counts": ["zipf"],
    "stages": ["hyperexponential", "hypererlang", "gp"],
    "logs": ["hypergamma", "normal-mixture", "hypererlang"],
}


def main():
    data = samples()
    with open("dist_samples.tsv", "w", encoding="ascii") as out:
        for name, x in data.items():
            print(name, *("%.17g" % v for v in x), sep="\t", file=out)
    print(f"/* Made by dist_fits.py with SciPy {scipy.__version__}. */")
    for name, x in data.items():
        values = ", ".join("%.17g" % v for v in x)
        print(f"static const double {name}[] = {{{values}}};")
    print("static const struct expected expected[] = {")
    for name, fits in CASES.items():
        for fit in fits:
            p = FITS[fit](data[name])
            values = ", ".join("%.12g" % v for v in p)
            ll = log_likelihood(fit, p, data[name])
            print(f'    {{"{fit}", "{name}", {name}, {len(data[name])}, {len(p)}, {{{values}}}, {ll:.12g}}},')
    print("};")


if __name__ == "__main__":
    main()
