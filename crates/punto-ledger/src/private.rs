//! Files that hold a secret: their owner alone may read them, and that is looked at whenever one is opened.

use std::fs::Metadata;
use std::path::Path;

/// Access of the file's group and of all others.
#[cfg(unix)]
const OTHERS: u32 = 0o077;
#[cfg(unix)]
const EVERYBODY: u32 = 0o007;

/// Whether only its owner has access to a file or folder; if not, what to do, in words.
///
/// # Errors
/// The words, if others have access.
#[cfg(unix)]
pub fn require_private(path: &Path, metadata: &Metadata) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = metadata.permissions().mode();
    if mode & OTHERS == 0 {
        return Ok(());
    }
    let wanted = if metadata.is_dir() { "700" } else { "600" };
    Err(format!(
        "{} is open to others (mode {:03o}): chmod {wanted} {}",
        path.display(),
        mode & 0o777,
        path.display()
    ))
}

/// Whether not everybody on the machine has access to a file. For keys that other programs write, which give them to a group.
///
/// # Errors
/// What to do, in words, if everybody has.
#[cfg(unix)]
pub fn require_not_public(path: &Path, metadata: &Metadata) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = metadata.permissions().mode();
    if mode & EVERYBODY == 0 {
        return Ok(());
    }
    Err(format!(
        "{} is open to everybody (mode {:03o}): chmod o= {}",
        path.display(),
        mode & 0o777,
        path.display()
    ))
}

/// Other systems keep access in other ways.
#[cfg(not(unix))]
pub fn require_not_public(_: &Path, _: &Metadata) -> Result<(), String> {
    Ok(())
}

/// Other systems keep access in other ways.
#[cfg(not(unix))]
pub fn require_private(_: &Path, _: &Metadata) -> Result<(), String> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn nobody_else_has_any_access() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        fs::write(&file, "").unwrap();
        for mode in 0..=0o777 {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            let answer = require_private(&file, &fs::metadata(&file).unwrap());
            assert_eq!(answer.is_ok(), mode & 0o077 == 0, "{mode:o}: {answer:?}");
            let public = require_not_public(&file, &fs::metadata(&file).unwrap());
            assert_eq!(public.is_ok(), mode & 0o007 == 0, "{mode:o}: {public:?}");
            assert!(answer.is_ok() || answer.unwrap_err().contains("chmod 600"));
        }
    }
}
