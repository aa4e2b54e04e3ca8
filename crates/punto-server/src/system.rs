//! What the operating system lets this process do.

/// File descriptors that connections leave alone: the ledger, the register, secrets of shoes and the log need some too, and
/// a table that cannot open a file stops.
const RESERVE: usize = 128;

/// Raises the limit of file descriptors as far as the system lets this process, and returns it; none, if there is none.
pub(crate) fn descriptors() -> Option<usize> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        // What cannot be raised stays as it is.
        let raised =
            current != maximum && setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
        let limit = if raised { maximum } else { current };
        limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
    }
    #[cfg(not(unix))]
    None
}

/// The limit of file descriptors, as it is.
pub(crate) fn descriptor_limit() -> Option<usize> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        getrlimit(Resource::Nofile).current.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
    }
    #[cfg(not(unix))]
    None
}

/// How many are open, where the system says so.
pub(crate) fn open_descriptors() -> Option<usize> {
    // The folder is open itself while it is read.
    std::fs::read_dir("/proc/self/fd").ok().map(|open| open.count().saturating_sub(1))
}

/// How many connections there may be: as many as asked for, or as `usual` and the descriptors allow.
pub(crate) fn connections(asked: Option<usize>, usual: usize, descriptors: Option<usize>) -> usize {
    let room = descriptors.map_or(usize::MAX, |all| all.saturating_sub(RESERVE).max(all / 2));
    let connections = asked.unwrap_or(usual.min(room));
    if connections > room {
        tracing::warn!(
            connections,
            descriptors,
            "more connections are allowed than there are file descriptors for; raise the limit (`ulimit -n`, LimitNOFILE)"
        );
    }
    connections
}

/// Says so in the log if everything on this machine is open to whoever finds a way into this process.
pub(crate) fn warn_as_root() {
    #[cfg(unix)]
    if rustix::process::geteuid().is_root() {
        tracing::warn!(
            "running as root; give the server a user of its own that owns the ledger and nothing else"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_to_the_tables() {
        assert_eq!(connections(None, 20_000, None), 20_000);
        assert_eq!(connections(None, 20_000, Some(1_024)), 896);
        assert_eq!(connections(None, 20_000, Some(100)), 50);
        assert_eq!(connections(None, 20_000, Some(1_000_000)), 20_000);
        assert_eq!(connections(Some(3), 20_000, Some(1_024)), 3);
        assert_eq!(connections(Some(5_000), 20_000, Some(1_024)), 5_000, "as asked for, with a warning");
    }
}
