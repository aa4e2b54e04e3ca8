//! A disk of a few megabytes that can be filled to the last byte.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system in memory, gone with this.
pub(crate) struct SmallDisk(pub(crate) PathBuf);

impl SmallDisk {
    /// None where this user may not mount any: only root may.
    pub(crate) fn mount(at: &Path) -> Option<SmallDisk> {
        fs::create_dir(at).expect("a folder");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=8m", "tmpfs"]).arg(at).output();
        mounted.is_ok_and(|output| output.status.success()).then(|| SmallDisk(at.to_owned()))
    }

    /// Takes all room that is left.
    pub(crate) fn fill(&self) {
        let filler = File::options().create(true).append(true).open(self.0.join("filler"));
        // Where there is no room for a name either, there is none.
        let Ok(mut filler) = filler else { return };
        for block in [1 << 16, 1 << 12, 1] {
            while filler.write_all(&vec![0; block]).is_ok() {}
        }
    }

    pub(crate) fn make_room(&self) {
        fs::remove_file(self.0.join("filler")).expect("a file");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
