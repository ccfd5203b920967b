//! A folder that is filled under a random name and renamed when it is complete.

use std::path::Path;
use std::{fs, io};

use tempfile::TempDir;

use crate::files::key::directory_of;
use crate::files::new_file::{Unpublished, sync_directory};

/// A folder that is not published yet. Dropping it removes it and its contents.
#[derive(Debug)]
pub struct NewFolder {
    // Declared before `_unpublished`, and therefore dropped first, so a signal between the two drops still
    // finds the path in the list.
    folder: TempDir,
    _unpublished: Unpublished,
}

impl NewFolder {
    /// Makes an empty folder next to `target`, with the usual permissions of folders.
    ///
    /// # Errors
    /// If the folder of `target` cannot be written to.
    pub fn create(target: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".urlid-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let create = || builder.tempdir_in(directory_of(target));
        let (folder, unpublished) = Unpublished::create(create, TempDir::path)?;
        Ok(Self { folder, _unpublished: unpublished })
    }

    /// Returns the path of the folder until it is published.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder the name `target`. When this returns, the folder and its name are on the disk. The
    /// files in it must have been synced before.
    ///
    /// # Errors
    /// If the name exists, or the folder cannot be synced or renamed.
    pub fn publish(&self, target: &Path) -> io::Result<()> {
        // Syncs the names of the files in the folder, which syncing the files did not include.
        sync_directory(self.path())?;
        // A rename would replace an empty folder that was made in the meantime. Creating a folder fails if
        // the name exists in any form, and if it succeeds, the rename replaces the folder that was just
        // created. On Windows `rename` never replaces a folder.
        if cfg!(unix) {
            fs::create_dir(target)?;
        }
        fs::rename(self.path(), target).inspect_err(|_| {
            // Fails if a file was put into the folder in the meantime. The folder is then kept.
            let _ = fs::remove_dir(target);
        })?;
        sync_directory(directory_of(target))
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // An empty folder, left by a build that could not open any file, is removed without a descriptor. A
        // folder with files, or a published one, stays for the cleanup that follows.
        let _ = fs::remove_dir(self.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_appears_when_it_is_complete_and_does_not_replace_one() {
        let directory = tempfile::tempdir().expect("a directory");
        let target = directory.path().join("out");
        let filled = || {
            let folder = NewFolder::create(&target).expect("there is room");
            fs::write(folder.path().join("file"), "new").expect("there is room");
            folder
        };
        drop(filled());
        assert_eq!(fs::read_dir(directory.path()).expect("lists").count(), 0);
        filled().publish(&target).expect("the name is free");
        assert_eq!(fs::read(target.join("file")).expect("it is there"), b"new");
        fs::remove_dir_all(&target).expect("it is ours");
        // An empty folder, a full one, a file, and links, each of which came while the folder was filled.
        let link = |to: &str| {
            #[cfg(unix)]
            std::os::unix::fs::symlink(to, &target).expect("links work");
            #[cfg(windows)]
            fs::write(&target, to).expect("there is room");
        };
        fs::create_dir(directory.path().join("elsewhere")).expect("there is room");
        let makes: [&dyn Fn(); 5] = [
            &|| fs::create_dir(&target).expect("there is room"),
            &|| fs::write(target.join("theirs"), "old").expect("there is room"),
            &|| fs::write(&target, "old").expect("there is room"),
            &|| link("nowhere"),
            &|| link("elsewhere"),
        ];
        for (number, make) in makes.into_iter().enumerate() {
            let folder = filled();
            make();
            let error = folder.publish(&target).expect_err("the name is taken");
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{number}");
            assert!(target.symlink_metadata().is_ok() && !target.join("file").exists(), "{number}");
            drop(folder);
            match number {
                0 => continue,
                1 => fs::remove_dir_all(&target).expect("it is ours"),
                _ => fs::remove_file(&target).expect("it is ours"),
            }
        }
        assert_eq!(fs::read_dir(directory.path()).expect("lists").count(), 1);
    }
}
