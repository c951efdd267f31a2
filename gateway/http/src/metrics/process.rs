//! The process's memory and files, under the names that Prometheus's own libraries give them. They are read where Linux
//! shows them, and absent elsewhere.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use super::page::Page;

pub fn render(started_at: SystemTime, version: &str) -> String {
    let status = fs::read_to_string("/proc/self/status").ok();
    let limits = fs::read_to_string("/proc/self/limits").ok();
    let mut page = Page::default();
    page.gauge(
        "process_resident_memory_bytes",
        "Memory of the process that is in RAM, in bytes.",
        &[("", status.as_deref().and_then(resident_bytes))],
    );
    page.gauge(
        "process_open_fds",
        "Open files of the process, among them its connections.",
        &[("", open_files())],
    );
    page.gauge(
        "process_max_fds",
        "The largest number of open files that the system allows the process.",
        &[("", limits.as_deref().and_then(open_files_max))],
    );
    let started = started_at.duration_since(UNIX_EPOCH).ok();
    page.gauge(
        "process_start_time_seconds",
        "When the process started, in seconds since 1970.",
        &[("", started.map(|since| since.as_secs()))],
    );
    page.gauge(
        "razao_build_info",
        "The version of the program and its commit, as a label.",
        &[(&format!("version=\"{version}\""), Some(1))],
    );
    page.into_text()
}

/// Such as `VmRSS:     85692 kB`, which means units of 1024 bytes.
fn resident_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// Without the file by which the folder is read.
fn open_files() -> Option<usize> {
    let count = fs::read_dir("/proc/self/fd").ok()?.count();
    count.checked_sub(1)
}

/// Such as `Max open files            1024                 524288               files`; the first number is in force.
fn open_files_max(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_linux_are_read_and_others_are_absent() {
        let status = "Name:\trazao\nVmHWM:\t   99999 kB\nVmRSS:\t   85692 kB\nThreads:\t7\n";
        assert_eq!(resident_bytes(status), Some(85_692 * 1024));
        assert_eq!(resident_bytes("Name:\tkthreadd\n"), None);
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max processes             15593                15593                processes \n\
                      Max open files            1024                 524288               files     \n";
        assert_eq!(open_files_max(limits), Some(1024));
        assert_eq!(
            open_files_max("Max open files            unlimited   unlimited   files"),
            None
        );
    }
}
