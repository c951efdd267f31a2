# Everything that this project does from a terminal. `npm start` and `npm test` come here after their `npm ci`;
# every recipe can be run alone. Recipes are POSIX shell and need nothing beyond Node, Rust and what npm installed.
# `just --list` shows only the last line of a recipe's comment, so the summary is on that line.

export PATH := justfile_directory() / "node_modules/.bin" + ":" + env("PATH")

just := just_executable()
built := env("CARGO_TARGET_DIR", "target") / "debug"
razao := built / "razao"

[private]
default:
    @{{ just }} --list --unsorted

# The whole product on one address: database, migrations, demo data, gateway, panels, sandbox (as `npm start`).
start *arguments: build
    @exec {{ razao }} serve {{ arguments }}

# Every check and test, with the minutes of each; stops after a failure (as `npm test` and the CI).
[script("sh", "-u")]
check:
    # Clippy's driver is the compiler with lints: it compiles what is tested, so that no crate is compiled twice.
    command -v clippy-driver >/dev/null || { echo "needs Clippy: rustup component add clippy" >&2; exit 1; }
    export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS={{ deny_warnings }}
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    priority=""
    # Runs stages one after another and stops at the first that fails.
    run() {
        for stage; do
            printf '\n──── %s\n' "$stage"
            began=$(date +%s)
            $priority {{ just }} "$stage" || echo "$stage" >> "$scratch/failed"
            took=$(($(date +%s) - began))
            printf '%4d:%02d  %s\n' $((took / 60)) $((took % 60)) "$stage" >> "$scratch/times"
            [ ! -f "$scratch/failed" ] || return 1
        done
    }
    # At its end the compiler uses one processor: the last crates depend on each other. The panels' stages use the
    # other.
    run typecheck lint test-ui ui > "$scratch/panels" 2>&1 &
    panels=$!
    run fmt-check compile program
    wait "$panels"
    cat "$scratch/panels"
    # Rust tests wait for the database and for timers, and browser tests for a browser, so they run beside each other.
    # So does what the browser does not need: the tests over HTTP and the program without `dev` are compiled by one
    # processor for most of their time.
    if [ ! -f "$scratch/failed" ]; then
        run browser > "$scratch/browser" 2>&1 &
        browser=$!
        # Alone, Rust tests keep both processors busy and browser tests do not. So the browser's should end first.
        priority="nice -n 3"
        run compile-rest test-rust test-schemas drift
        wait "$browser"
        cat "$scratch/browser"
    fi
    printf '\nminutes:seconds of each stage\n'
    cat "$scratch/times"
    [ ! -f "$scratch/failed" ] || {
        printf '\nfailed:%s (repeat it with `just <stage>`)\n' "$(printf ' %s' $(cat "$scratch/failed"))" >&2
        exit 1
    }

# Another name for `check`, the one that npm knows.
test: check

# Formats Rust and TypeScript in place.
fmt: (biome "check" "--write" ".")
    cargo fmt --all

# Rust formatting, without changing anything.
fmt-check:
    cargo fmt --all --check

# Lints of all Rust targets; a warning fails.
clippy:
    cargo clippy --workspace --all-targets -- -D warnings

# How `cargo clippy` passes `-D warnings` to its driver.
deny_warnings := "-Dwarnings__CLIPPY_HACKERY__"

# All libraries with their unit tests. What else the browser tests need, `program` compiles in seconds.
[private]
compile:
    cargo test --workspace --lib --bins --no-run

# All other tests.
[private]
compile-rest:
    cargo test --workspace --no-run
    # The program also without the feature `dev`, as production compiles it. Its tests take the other features of the
    # line above, so that only this crate is compiled again.
    cargo test --workspace --no-run --no-default-features --bin razao

# Formatting, the tests that need no database or browser, and lints of the libraries: a minute after a small change.
[script("sh", "-eu")]
quick: fmt-check
    export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS={{ deny_warnings }}
    cargo test --workspace --lib
    {{ just }} lint typecheck
    vitest run --root ui --changed

# Rust tests on a throwaway PostgreSQL in memory; `just test-rust ledger` runs those named so.
[script("sh", "-eu")]
test-rust *arguments: program
    # Most tests wait for the database or for each other's timers, so each processor runs two at once.
    export RUST_TEST_THREADS="${RUST_TEST_THREADS:-$(($(getconf _NPROCESSORS_ONLN) * 2))}"
    if cargo nextest --version >/dev/null 2>&1; then
        cargo nextest run --workspace --no-run
        exec {{ with_database }} cargo nextest run --workspace {{ arguments }}
    fi
    cargo test --workspace --no-run
    # Without documentation tests, of which there are none: the search for them compiles every library once more.
    exec {{ with_database }} cargo test --workspace --lib --bins --tests {{ arguments }}

# Types of the panels and of their browser tests.
typecheck: types
    tsc -p ui --noEmit

# Lint and formatting of the panels.
lint: (biome "check" ".")

# Unit tests of the panels.
test-ui *arguments:
    vitest run --root ui {{ arguments }}

# The panels, where their sources are newer than what was built, and the program.
build: ui program

[private]
program:
    cargo build {{ one_build }}

# Builds the panels and the checkout into ui/dist if a source has changed since.
[script("sh", "-eu")]
ui: types
    built=node_modules/.cache/razao-ui-built
    sources="fixtures/access ui/index.html ui/src ui/checkout ui/public ui/build ui/vite.config.ts ui/vite.checkout.config.ts
        package-lock.json"
    if [ -f ui/dist/index.html ] && [ -f "$built" ] && [ -z "$(find $sources -newer "$built" | head -n 1)" ]; then
        exit 0
    fi
    mkdir -p node_modules/.cache
    # The mark is set before the build, so that a file that is edited during the build is newer.
    touch "$built.begun"
    vite build ui
    vite build --config ui/vite.checkout.config.ts
    mv "$built.begun" "$built"

# The panels on Vite's server with reloading, against a gateway started with `just start`.
dev: types
    @exec vite ui

# The checkout on Vite's server too: open a link's address on it.
dev-checkout: types
    @exec vite --config ui/vite.checkout.config.ts

# Writes the API's description, the labels of its words and the titles of exported lists from the program, and from the
# description the types of the panels.
openapi: build
    {{ razao }} openapi > ui/openapi.json
    {{ razao }} words > ui/src/api/words.json
    {{ razao }} sheets > ui/src/api/sheets.json
    {{ just }} types

# They are not committed, and every recipe that needs them makes them.
# The panels' types from ui/openapi.json, unless they are newer.
[script("sh", "-eu")]
types:
    for source in ui/openapi.json package-lock.json; do
        [ {{ types }} -nt "$source" ] || exec openapi-typescript ui/openapi.json --output {{ types }}
    done

types := "ui/src/api/schema.d.ts"

# Fails if a file of `just openapi` is not what the program writes.
[script("sh", "-eu")]
drift: build
    fresh=$(mktemp)
    trap 'rm -f "$fresh"' EXIT
    for file in ui/openapi.json ui/src/api/words.json ui/src/api/sheets.json; do
        {{ razao }} "$(basename "$file" .json)" > "$fresh"
        diff -u "$file" "$fresh"
    done

# Each worker has its own gateway with demo data and a throwaway database, unless RAZAO_E2E_URL names the gateways,
# separated by commas.
# Browser tests, two workers at a time.
e2e *arguments: build (browser arguments)

# The browser tests on what is built.
[private]
[script("sh", "-eu")]
browser *arguments:
    config=ui/playwright.config.ts
    if [ -n "${RAZAO_E2E_URL:-}" ]; then
        exec playwright test --config "$config" {{ arguments }}
    fi
    # Their clock starts on one Saturday, so that no test depends on today.
    RAZAO_NOW=${RAZAO_NOW:-2026-11-21T12:00:00-03:00}
    # It runs 60 times slower: an hour of tests is a minute of it, so that no test runs over midnight.
    RAZAO_NOW_SLOWDOWN=60
    RAZAO_NOW_BEGUN=$(date +%s)
    export RAZAO_NOW RAZAO_NOW_SLOWDOWN RAZAO_NOW_BEGUN
    scratch=$(mktemp -d)
    servers=""
    trap 'kill $servers 2>/dev/null || :; wait $servers || :; rm -rf "$scratch"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    for worker in 0 1; do
        # E-mails are written here instead of being sent; the tests read them.
        mkdir "$scratch/mail-$worker"
        RAZAO_MAIL_FOLDER="$scratch/mail-$worker" {{ razao }} demo-server \
            > "$scratch/server-$worker" 2> "$scratch/log-$worker" &
        servers="$servers $!"
    done
    urls=""
    folders=""
    sandboxes=""
    for worker in 0 1; do
        # A server's first line of output names its address, once it answers there.
        until url=$(sed -n 's|.*\(http://[^ /]*\).*|\1|p' "$scratch/server-$worker" | head -n 1) && [ -n "$url" ]; do
            for server in $servers; do
                kill -0 "$server" || { cat "$scratch"/log-* >&2; echo "a gateway ended before it served" >&2; exit 1; }
            done
            sleep 0.1
        done
        urls="$urls${urls:+,}$url"
        folders="$folders${folders:+,}$scratch/mail-$worker"
        # The same output names its sandbox some lines below.
        until sandbox=$(sed -n 's|^Sandbox *\(http://[^ /]*\).*|\1|p' "$scratch/server-$worker") && [ -n "$sandbox" ]; do
            sleep 0.1
        done
        sandboxes="$sandboxes${sandboxes:+,}$sandbox"
    done
    export RAZAO_E2E_URL="$urls" RAZAO_MAIL_FOLDER="$folders" RAZAO_E2E_SANDBOX="$sandboxes"
    playwright test --config "$config" {{ arguments }} || {
        # A line for each request is too much; what a gateway reported as a fault helps to explain a failure.
        grep -h '"level":"ERROR"' "$scratch"/log-* >&2
        exit 1
    }

# Runs schemathesis with all its checks. Needs Python 3.10 and, once, the network; no part of `npm test`.
# `just fuzz --max-time 600` fuzzes for 600 seconds a run.
# Fuzzes the API, as seller and as staff, on a throwaway demo server.
[script("sh", "-eu")]
fuzz *arguments="--max-time 120": program
    venv=node_modules/.cache/razao-fuzz
    if [ ! -x "$venv/bin/schemathesis" ]; then
        python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement gateway/fuzz/requirements.txt
    fi
    output=$(mktemp)
    {{ razao }} demo-server > "$output" &
    server=$!
    trap 'kill "$server" 2>/dev/null || :; wait "$server" || :; rm -f "$output"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    until url=$(sed -n 's|.*\(http://localhost:[0-9]*\).*|\1|p' "$output" | head -n 1) && [ -n "$url" ]; do
        kill -0 "$server" || { echo "the gateway ended before it served" >&2; exit 1; }
        sleep 0.1
    done
    PATH="$PWD/$venv/bin:$PATH" python3 gateway/fuzz/fuzz.py "$url" {{ arguments }}

# Tests over HTTP on a database in which each shard has a schema of its own; `just test-schemas ::` runs all.
[script("sh", "-eu")]
test-schemas *names="log:: writer:: projections::followers projections::histories projections::sales reversals::": program
    export TEST_DATABASE_LAYOUT=schemas RUST_TEST_THREADS="${RUST_TEST_THREADS:-$(($(getconf _NPROCESSORS_ONLN) * 2))}"
    exec {{ with_database }} cargo test -p gateway --test it -- {{ names }}

# Every test that sees dates, on the twenty days of fixtures/days.json or on those named: `just days leap-day sunday`.
days *keys: (rust-days keys) (browser-days keys)

# Rust tests that see dates, on all twenty days or on those named.
[script("sh", "-eu")]
rust-days *keys:
    RAZAO_TEST_DAYS="{{ keys }}"
    export RAZAO_TEST_DAYS="${RAZAO_TEST_DAYS:-all}"
    exec {{ just }} test-rust -- demo::

# Browser tests that see dates, on all twenty days or on those named.
[script("sh", "-eu")]
browser-days *keys: build
    node -e '
      const [file, ...keys] = process.argv.slice(1);
      const days = JSON.parse(require("node:fs").readFileSync(file, "utf8"));
      const unknown = keys.filter((key) => !days.some((day) => day.key === key));
      if (unknown.length > 0) throw new Error(`${file} has no ${unknown.join(", ")}`);
      const wanted = days.filter(({ key }) => keys.length === 0 || keys.includes(key));
      for (const { key, now } of wanted) console.log(`${key} ${now}`);
    ' fixtures/days.json {{ keys }} > node_modules/.cache/razao-days
    while read -r key now; do
        printf '\n──── %s (%s)\n' "$key" "$now"
        RAZAO_NOW="$now" {{ just }} e2e {{ dated_specs }} < /dev/null
    done < node_modules/.cache/razao-days

# The browser tests whose screens or figures depend on the day.
dated_specs := "explanations overview past-balance receivables sales.spec reversals withdrawals.spec"

# Takes some minutes to compile.
# The program as production runs it: the panels inside; without embedded PostgreSQL, demo, sandbox and benchmarks.
[script("sh", "-eu")]
release: ui
    # Which sources a running program was built of. Nothing that differs between two builds of one commit.
    export RAZAO_BUILD="${RAZAO_BUILD-$(git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null || :)}"
    exec cargo build --release --no-default-features --features panels --bin razao

# Loads the story of fixtures/ into the database.
demo *arguments: build
    {{ razao }} demo {{ arguments }}

# Verifies the log's hash chain and its agreement with the balances; `just audit replay` and others go further.
audit *arguments="verify": build
    {{ razao }} audit {{ arguments }}

# Takes some minutes to compile. `just bench --quick` measures for two minutes, `just bench --only rates` one part.
# Measures the write path in a release build with the benchmarks.
bench *arguments: ui
    cargo build --release --bin razao
    {{ parent_directory(built) / "release/razao" }} bench {{ arguments }}

# `just torture 10 --only kills` does ten rounds of kills, `--only round-robin --seconds 300` ends two processes in turn.
# Kills gateway and PostgreSQL under load, fills the disk, stops a process past its lease.
torture *arguments: build
    {{ razao }} torture {{ arguments }}

# Needs Linux, PostgreSQL's server with pg_basebackup and pg_rewind, and etcd; installs Patroni once, from the network.
# As root each node has its own network, which is cut; for other users the node is frozen instead.
# Loses the leader of three PostgreSQL nodes under Patroni in four ways, under load.
[script("sh", "-eu")]
torture-standby *arguments: build
    venv=node_modules/.cache/razao-patroni
    if [ ! -x "$venv/bin/patroni" ]; then
        # PostgreSQL's user must be able to run it. A Python in root's home is out of its reach.
        python=python3
        if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; fi
        "$python" -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement gateway/dev/patroni/requirements.txt
    fi
    PATH="$PWD/$venv/bin:$PATH" {{ razao }} torture --only standby {{ arguments }}

# `just citus postgres://razao@10.0.0.1/razao`: an empty database of a coordinator that knows its workers.
# Runs the platform on a Citus cluster: three processes under load, then the audits (docs/operations/citus.md).
citus url *arguments: build
    {{ razao }} citus {{ url }} {{ arguments }}

# Measures lists and reports on a small and on a large installation in a release build; `--quick` measures one round.
bench-reads *arguments: ui
    cargo build --release --bin razao
    {{ parent_directory(built) / "release/razao" }} bench-reads {{ arguments }}

# Changes the domain's rules one line at a time and lists what no test notices; `just mutants --shard 0/8` an eighth.
[script("sh", "-eu")]
mutants *arguments:
    if ! cargo mutants --version >/dev/null 2>&1; then
        echo "needs cargo-mutants: cargo install cargo-mutants --locked" >&2
        exit 1
    fi
    exec cargo mutants --config mutants.toml --package ledger-domain --output target {{ arguments }}

# `just simulate --minutes 60` goes on for an hour, `just simulate --seed 7 --trace` shows one seed's steps.
# Runs the ledger under a simulated world, seed by seed, in a release build.
simulate *arguments:
    @cargo build --release --workspace --bin simulate
    @exec {{ parent_directory(built) / "release/simulate" }} {{ arguments }}

# psql on the database of a running `npm start`.
[script("sh", "-eu")]
db *arguments:
    cluster="${RAZAO_DATA:-.data}/postgres"
    if [ -n "${DATABASE_URL:-}" ]; then
        exec psql "$DATABASE_URL" {{ arguments }}
    fi
    # For root the data is in a folder that the server's user can enter.
    if [ ! -d "$cluster" ] && [ -f "$cluster.location" ]; then cluster=$(cat "$cluster.location"); fi
    port=$(sed -n 4p "$cluster/postmaster.pid") || { echo "no database runs on $cluster; use npm start" >&2; exit 1; }
    PGPASSWORD=$(cat "$cluster.password") exec psql -h 127.0.0.1 -p "$port" -U razao razao {{ arguments }}

# `razao` and `with_database`, which lends tests a database, are built together. The second brings in the features of
# the tests' dependencies. So `cargo test` finds every crate built as it needs it, and none is compiled twice.
one_build := "--bin razao --example with_database"
with_database := built / "examples/with_database"

# Biome's own package names binaries for every system and breaks a lock file where one is missing. So only the binary
# is installed, and it is called by its path.
[private]
[script("sh", "-eu")]
biome +arguments:
    biome={{ justfile_directory() }}/node_modules/@biomejs/cli-linux-x64/biome
    if [ ! -x "$biome" ]; then
        echo "skipped: the linter is installed on Linux x64 only"
        exit 0
    fi
    cd ui
    exec "$biome" {{ arguments }}

# Needs nginx, Caddy, curl, OpenSSL and Python; no part of `npm test`. `just check-proxies caddy` tries one of them.
# Tries the proxies' files of deploy/ before a demo server: TLS, headers, addresses, limits of bodies, no secret in a log.
check-proxies *names: build
    python3 deploy/check/proxies.py {{ razao }} {{ names }}

# Needs systemd 252 or newer; installs and starts nothing.
# What `systemd-analyze` says to the units of deploy/: no fault, and how exposed each of them is.
check-units:
    deploy/check/units

# Needs PostgreSQL's server of Debian and pgBackRest; takes about three minutes and no part of `npm test`.
# Loses a database, restores it to an instant, compares heads and read models, and pays nothing twice.
drill-backup *arguments: build
    deploy/backup/drill {{ razao }} {{ arguments }}

# Needs buildah and apt-get, no registry. Without root: `buildah unshare just image`.
# The container image `razao` of the release build.
image: release
    deploy/container/build {{ parent_directory(built) / "release/razao" }}

# Needs root, buildah, curl and psql; the image has the debug build.
# Builds the image and runs its root file system read only, without root and without capabilities.
check-image: program
    {{ with_database }} deploy/check/image {{ razao }}

# Needs cargo-deb: cargo install cargo-deb --locked.
# The Debian package of the release build, in target/debian.
deb: release
    cargo deb --package gateway --no-build

# Needs root, debootstrap and, once, the network. `just check-package target/debian/razao_0.1.0-1_amd64.deb`.
# Installs the package in a Debian of its own, boots systemd there and starts every unit.
check-package package:
    deploy/check/package {{ package }}

# Needs psql; no part of `npm test`. For two programs: `with_database deploy/upgrade/drill OLD NEW`.
# Upgrades the stored database of the baseline while sales arrive, and exchanges two processes under load.
drill-upgrade: program
    {{ with_database }} deploy/upgrade/drill {{ razao }}

# Needs Python and promtool, which Debian's package `prometheus` has; no part of `npm test`.
# Dashboards and alert rules (deploy/) against promtool, the metrics of a demo server, and the runbook.
[script("sh", "-eu")]
check-observability: program
    command -v promtool >/dev/null || { echo "needs promtool: apt-get install prometheus" >&2; exit 1; }
    promtool check rules deploy/alerts/razao.rules.yml
    promtool test rules deploy/alerts/razao.test.yml
    output=$(mktemp)
    RAZAO_LOG=error {{ razao }} demo-server > "$output" &
    server=$!
    trap 'kill "$server" 2>/dev/null || :; wait "$server" || :; rm -f "$output"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    until url=$(sed -n 's|^Operations *\(http://[^,]*\),.*|\1|p' "$output") && [ -n "$url" ]; do
        kill -0 "$server" || { echo "the gateway ended before it served" >&2; exit 1; }
        sleep 0.1
    done
    python3 deploy/check-observability.py "$url"
