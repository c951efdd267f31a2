//! The server's settings, each with its reason. They are given on the command line at every start, so that a new
//! release of this program brings its own and postgresql.conf stays as initdb wrote it.

/// For both: one program on one machine, over TCP alone.
const ALWAYS: [(&str, &str); 6] = [
    // Nothing outside this machine may knock, and no socket file depends on a folder's rights or length.
    ("listen_addresses", "127.0.0.1"),
    ("unix_socket_directories", ""),
    // Instants are kept in UTC; what day it is in São Paulo is the program's own affair.
    ("timezone", "UTC"),
    ("log_timezone", "UTC"),
    // The statements are short and many: compiling them costs more than it saves.
    ("jit", "off"),
    // A forgotten transaction holds back vacuum, and the hot rows of the ledger slow down fivefold within a minute.
    ("idle_in_transaction_session_timeout", "10s"),
];

/// For data that matters: an answer means that the commit is on the disk.
const DURABLE: [(&str, &str); 16] = [
    ("fsync", "on"),
    ("synchronous_commit", "on"),
    ("full_page_writes", "on"),
    // Pools of writers, readers and projections together stay far below; each connection costs memory.
    ("max_connections", "100"),
    // The working set (heads, recent sales, read models) stays in memory; 128 MB is the default.
    ("shared_buffers", "256MB"),
    // Fewer checkpoints mean fewer whole pages in the log; recovery still takes seconds.
    ("max_wal_size", "2GB"),
    ("checkpoint_timeout", "15min"),
    // A new file of the log is filled with zeros by the commit that needs it, and all stand still for 60 ms: those that
    // a checkpoint frees are kept.
    ("min_wal_size", "1GB"),
    // Pages of random keys hardly shrink, and pglz made batches of inserts a sixth to a third slower.
    ("wal_compression", "off"),
    // Small machines have SSDs: an index page costs nearly what the next page of a scan costs.
    ("random_page_cost", "1.1"),
    // Balances and positions are updated thousands of times a second: look often, and finish without pauses.
    ("autovacuum_naptime", "10s"),
    ("autovacuum_vacuum_scale_factor", "0.05"),
    ("autovacuum_analyze_scale_factor", "0.05"),
    ("autovacuum_vacuum_cost_delay", "0"),
    // A statement that waits longer than this for a lock, or runs longer than this, is worth a line in the log.
    ("log_lock_waits", "on"),
    ("log_min_duration_statement", "2s"),
];

/// For tests: the data is thrown away, so nothing waits for a disk.
const THROWAWAY: [(&str, &str); 9] = [
    ("fsync", "off"),
    ("synchronous_commit", "off"),
    ("full_page_writes", "off"),
    ("wal_level", "minimal"),
    ("max_wal_senders", "0"),
    // The data may lie in memory: keep the log small.
    ("max_wal_size", "256MB"),
    // In the cluster's folder, which is in memory anyway, so that a killed server leaves nothing elsewhere.
    ("dynamic_shared_memory_type", "mmap"),
    // Many tests at once, each with a database and a pool of its own.
    ("max_connections", "300"),
    ("autovacuum_naptime", "10s"),
];

pub fn arguments(durable: bool) -> Vec<String> {
    let specific: &[(&str, &str)] = if durable { &DURABLE } else { &THROWAWAY };
    ALWAYS
        .iter()
        .chain(specific)
        .flat_map(|(name, value)| ["-c".to_owned(), format!("{name}={value}")])
        .collect()
}
