//! The server's settings. Each start passes them on the command line. So a new release of this program brings its own
//! settings, and postgresql.conf stays as initdb wrote it.

/// For durable and for throwaway data.
const ALWAYS: [(&str, &str); 6] = [
    // No other machine can connect. A socket file would depend on the permissions and the length of its path.
    ("listen_addresses", "127.0.0.1"),
    ("unix_socket_directories", ""),
    // The program, not the server, computes the day in Brasília.
    ("timezone", "UTC"),
    ("log_timezone", "UTC"),
    // Most statements are short and frequent: compiling them costs more than it saves.
    ("jit", "off"),
    // A forgotten transaction delays vacuum, which slows down the frequently updated rows of the ledger.
    ("idle_in_transaction_session_timeout", "10s"),
];

/// For durable data: an answer means that the commit is on disk.
const DURABLE: &[(&str, &str)] = &[
    ("fsync", "on"),
    ("synchronous_commit", "on"),
    ("full_page_writes", "on"),
    // In layout `schemas` a process has two sessions for each shard. The benchmark has 64 more.
    ("max_connections", "150"),
    // The default is 128 MB.
    ("shared_buffers", "256MB"),
    // A report that ranks a hundred thousand companies sorts and groups in memory. With the default of
    // 4 MB it took 40 % longer.
    ("work_mem", "16MB"),
    // Fewer checkpoints mean fewer full pages in the log.
    ("max_wal_size", "2GB"),
    ("checkpoint_timeout", "15min"),
    // The commit that needs a new log file fills it with zeros, and all commits wait for 60 ms. So the files that a
    // checkpoint frees are kept.
    ("min_wal_size", "1GB"),
    // After a crash the server first writes all files of the cluster to disk: a call for each of a thousand files took
    // 6 s, one for the file system 11 ms.
    #[cfg(target_os = "linux")]
    ("recovery_init_sync_method", "syncfs"),
    // Pages of random keys hardly compress, and pglz made batches of inserts a sixth to a third slower.
    ("wal_compression", "off"),
    // On an SSD an index page costs nearly the same as the next page of a scan.
    ("random_page_cost", "1.1"),
    // Balances and positions are updated thousands of times per second: vacuum must check often and run without pauses.
    ("autovacuum_naptime", "10s"),
    ("autovacuum_vacuum_scale_factor", "0.05"),
    ("autovacuum_analyze_scale_factor", "0.05"),
    ("autovacuum_vacuum_cost_delay", "0"),
    // Statements that wait long for a lock, or run longer than this, are logged.
    ("log_lock_waits", "on"),
    ("log_min_duration_statement", "2s"),
];

/// For data that can be created again: no commit waits for a disk.
const THROWAWAY: [(&str, &str); 9] = [
    ("fsync", "off"),
    ("synchronous_commit", "off"),
    ("full_page_writes", "off"),
    ("wal_level", "minimal"),
    ("max_wal_senders", "0"),
    // The data may be in memory: keep the log small.
    ("max_wal_size", "256MB"),
    // In the cluster's folder, so that a killed server leaves no files elsewhere.
    ("dynamic_shared_memory_type", "mmap"),
    // Many tests run concurrently, each with its own database and pool.
    ("max_connections", "300"),
    // By default, each of hundreds of databases would get a worker every minute. Tests of query plans run VACUUM.
    ("autovacuum_naptime", "1h"),
];

pub fn arguments(durable: bool) -> Vec<String> {
    let specific: &[(&str, &str)] = if durable { DURABLE } else { &THROWAWAY };
    ALWAYS
        .iter()
        .chain(specific)
        .flat_map(|(name, value)| ["-c".to_owned(), format!("{name}={value}")])
        .collect()
}
