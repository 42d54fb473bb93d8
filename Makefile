# SPDX-License-Identifier: GPL-3.0-or-later
#
# The front door. The build itself is Meson's: see meson.build.
#
#   make            build into build/ (the command is build/workloom)
#   make demo       build and run a tour; TRACE=FILE takes a log of yours, read with DEMO_ARGS
#   make check      the tests to run before a commit, in minutes; the last line counts
#   make check-full all other tests: slow ones, real logs, faults, browser, guides, sanitizers
#   make install    PREFIX=/usr/local, DESTDIR=
#   make bench      speed and memory against yardsticks; TRACE=FILE
#   make fuzz       SECONDS=60 each; FORMATS="swf gwf" for some only
#   make format     lay out the sources
#   make setup      install what is missing, also for check-full and fuzz
#   make help       this list
#   make clean      remove every build directory
#
# demo, check and check-full install the Debian packages they miss (packages.txt) by themselves.

BUILD ?= build
TRACE ?=
DEMO_ARGS ?=
PREFIX ?=
DESTDIR ?=
SECONDS ?= 60
FORMATS ?=
MESON_ARGS ?=

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

# Without the tests, which need more packages: tools/check switches them on.
$(BUILD)/build.ninja:
	@tools/setup build
	@meson setup --buildtype=release -Dtests=false $(if $(PREFIX),--prefix='$(PREFIX)') $(MESON_ARGS) $(BUILD)

demo: all
	@tools/demo $(BUILD) $(if $(TRACE),'$(TRACE)' $(DEMO_ARGS))

check:
	@tools/check

check-full:
	@tools/check --full

# A prefix that was given is kept in the build, which is then brought up to date with it.
install: all
	@$(if $(PREFIX),meson configure $(BUILD) -Dprefix='$(PREFIX)' && ninja -C $(BUILD))
	@DESTDIR='$(DESTDIR)' meson install -C $(BUILD) --no-rebuild

bench: all
	@bench/run --build $(BUILD) $(if $(TRACE),--trace '$(TRACE)')

fuzz:
	@tools/setup build test test-full
	@tools/fuzz $(SECONDS) $(FORMATS)

format:
	@tools/format

setup:
	@tools/setup build test test-full

clean:
	rm -rf build build-asan build-tsan build-fuzz build-mpi build-static build-logs

help:
	@sed -n 's/^#   //p' Makefile

.PHONY: all demo check check-full install bench fuzz format setup clean help
