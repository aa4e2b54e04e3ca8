//! This process, as it names itself to others that want the same ledger.

/// Process id and host name, for the error message of another process.
pub(crate) fn this_process() -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    format!("process {} on {host}", std::process::id())
}
