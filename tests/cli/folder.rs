//! Folders as a whole: what is in them, byte for byte, and copies to tamper with.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Every file below a folder, by its relative path, or the one file at that path.
pub fn contents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    if root.is_file() {
        found.insert(String::new(), fs::read(root).unwrap());
    } else {
        collect(root, "", &mut found);
    }
    found
}

fn collect(folder: &Path, below: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    for (name, bytes) in contents(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Demands that two folders have the same files with the same bytes.
#[track_caller]
pub fn assert_equal(what: &str, left: &Path, right: &Path) {
    if let Some(difference) = difference(left, right) {
        panic!("{what}: {difference}");
    }
}

/// The first difference between two folders.
pub fn difference(left: &Path, right: &Path) -> Option<String> {
    let (left, right) = (contents(left), contents(right));
    let names = |folder: &BTreeMap<String, Vec<u8>>| folder.keys().cloned().collect::<Vec<_>>();
    if names(&left) != names(&right) {
        return Some(format!("the files are {:?} and {:?}", names(&left), names(&right)));
    }
    let (name, bytes) = left.iter().find(|(name, bytes)| right[*name] != **bytes)?;
    let other = &right[name];
    let place = bytes.iter().zip(other).position(|(a, b)| a != b).unwrap_or(bytes.len().min(other.len()));
    Some(format!("{name} differs from byte {place}, of {} and {} bytes", bytes.len(), other.len()))
}
