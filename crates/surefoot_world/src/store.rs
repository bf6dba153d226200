//! Provides [`WorldStore`]: where the plan and the tiles of a world are kept.
//!
//! A folder, a bucket, or memory, by the crate `object_store`. What is written is there as a whole or not
//! at all, so that a job that is killed, repeated or run twice does no harm.

use std::path::Path;
use std::sync::Arc;

use futures::StreamExt;
use futures::executor::block_on;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt};

/// Where the plan and the tiles of a world are kept. Clones are the same store.
#[derive(Clone, Debug)]
pub struct WorldStore {
    objects: Arc<dyn ObjectStore>,
    /// Waits for what the network brings.
    #[cfg(feature = "s3")]
    network: Option<Arc<tokio::runtime::Runtime>>,
    /// What users call it.
    place: String,
}

/// Why a store could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {name}: {problem}")]
pub struct StoreError {
    /// The store.
    pub place: String,
    /// What was to be read or written.
    pub name: String,
    /// What went wrong.
    pub problem: String,
    /// Whether it may go well if it is tried again later.
    pub is_temporary: bool,
}

/// A file of a store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredFile {
    /// Its name, with the folders of the store.
    pub name: String,
    /// Its size [bytes].
    pub bytes: u64,
}

impl WorldStore {
    /// Opens the store in a folder, which is created if it does not exist.
    ///
    /// # Errors
    /// The folder cannot be created or opened.
    pub fn in_folder(folder: &Path) -> Result<Self, StoreError> {
        let place = folder.display().to_string();
        let fail = |problem: String, is_temporary| {
            let (place, name) = (place.clone(), "the folder of the store".to_owned());
            StoreError { place, name, problem, is_temporary }
        };
        std::fs::create_dir_all(folder)
            .map_err(|error| fail(error.to_string(), is_temporary_fault(error.kind())))?;
        let objects = LocalFileSystem::new_with_prefix(folder)
            .map_err(|error| fail(error.to_string(), false))?;
        Ok(WorldStore::local(Arc::new(objects), place))
    }

    /// Opens the store in a folder, or with the feature `s3` in a bucket: `s3://bucket/folder`. `options` are
    /// names and values as in the environment, such as `AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT`; a folder
    /// needs none.
    ///
    /// # Errors
    /// The place cannot be opened, or it is of a kind that this program was built without.
    pub fn open(
        place: &str,
        options: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, StoreError> {
        match place.split_once("://") {
            None => WorldStore::in_folder(Path::new(place)),
            Some(("s3", _)) => bucket::open(place, options),
            Some((scheme, _)) => Err(StoreError {
                place: place.to_owned(),
                name: "the store".to_owned(),
                problem: format!(
                    "{scheme}:// is no kind of store; give a folder, or s3://bucket/folder"
                ),
                is_temporary: false,
            }),
        }
    }

    /// A store in memory, for tests and for worlds that are merged at once.
    pub fn in_memory() -> Self {
        WorldStore::local(Arc::new(InMemory::new()), "memory".to_owned())
    }

    /// A store of objects that need no network.
    fn local(objects: Arc<dyn ObjectStore>, place: String) -> Self {
        WorldStore {
            objects,
            #[cfg(feature = "s3")]
            network: None,
            place,
        }
    }

    /// Waits for an answer of the store.
    fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        #[cfg(feature = "s3")]
        if let Some(network) = &self.network {
            return network.block_on(answer);
        }
        block_on(answer)
    }

    /// What errors call it.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Reads a file; `None` if there is none of that name.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let read = async {
            let found = self.objects.get(&ObjectPath::from(name)).await?;
            found.bytes().await
        };
        match self.wait(read) {
            Ok(bytes) => Ok(Some(bytes.to_vec())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.fault(name, &error)),
        }
    }

    /// Returns the size of a file [bytes]; `None` if there is none of that name.
    ///
    /// # Errors
    /// The store cannot be asked.
    pub fn size(&self, name: &str) -> Result<Option<u64>, StoreError> {
        match self.wait(self.objects.head(&ObjectPath::from(name))) {
            Ok(meta) => Ok(Some(meta.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.fault(name, &error)),
        }
    }

    /// Writes a file, as a whole or not at all. What had that name is replaced.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, name: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let written = self.wait(self.objects.put(&ObjectPath::from(name), bytes.into()));
        written.map(drop).map_err(|error| self.fault(name, &error))
    }

    /// Lists the files in a folder of the store, by name.
    ///
    /// # Errors
    /// The store cannot be asked.
    pub fn list(&self, folder: &str) -> Result<Vec<StoredFile>, StoreError> {
        let prefix = ObjectPath::from(folder);
        let found: Vec<_> = self.wait(self.objects.list(Some(&prefix)).collect());
        let file = |meta: object_store::ObjectMeta| StoredFile {
            name: meta.location.to_string(),
            bytes: meta.size,
        };
        let files: Result<Vec<StoredFile>, _> =
            found.into_iter().map(|meta| meta.map(file)).collect();
        let mut files = files.map_err(|error| self.fault(folder, &error))?;
        files.sort_unstable();
        Ok(files)
    }

    fn fault(&self, name: &str, error: &object_store::Error) -> StoreError {
        use object_store::Error;
        let cause = causes(error).find_map(|cause| cause.downcast_ref::<std::io::Error>());
        let is_permanent = matches!(
            error,
            Error::PermissionDenied { .. }
                | Error::Unauthenticated { .. }
                | Error::InvalidPath { .. }
                | Error::NotSupported { .. }
                | Error::NotImplemented { .. }
        );
        let is_temporary =
            !is_permanent && cause.is_none_or(|cause| is_temporary_fault(cause.kind()));
        let problem = cause.map_or_else(|| error.to_string(), ToString::to_string);
        StoreError { place: self.place.clone(), name: name.to_owned(), problem, is_temporary }
    }
}

#[cfg(feature = "s3")]
mod bucket {
    //! Stores in buckets.

    use std::sync::Arc;

    use object_store::aws::AmazonS3Builder;
    use object_store::prefix::PrefixStore;

    use super::{StoreError, WorldStore};

    /// Opens a folder of a bucket.
    pub fn open(
        place: &str,
        options: impl IntoIterator<Item = (String, String)>,
    ) -> Result<WorldStore, StoreError> {
        let fail = |problem: String| StoreError {
            place: place.to_owned(),
            name: "the bucket".to_owned(),
            problem,
            is_temporary: false,
        };
        let mut builder = AmazonS3Builder::new().with_url(place);
        for (name, value) in options {
            // The environment has much that is about other things.
            if let Ok(key) = name.to_ascii_lowercase().parse() {
                builder = builder.with_config(key, value);
            }
        }
        let bucket = builder.build().map_err(|error| fail(error.to_string()))?;
        let network = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| fail(error.to_string()))?;
        let folder = place.splitn(4, '/').nth(3).unwrap_or_default();
        let objects = Arc::new(PrefixStore::new(bucket, folder));
        Ok(WorldStore { objects, network: Some(Arc::new(network)), place: place.to_owned() })
    }
}

#[cfg(not(feature = "s3"))]
mod bucket {
    //! Stores in buckets, which this program was built without.

    use super::{StoreError, WorldStore};

    /// Says what to do.
    pub fn open(
        place: &str,
        _: impl IntoIterator<Item = (String, String)>,
    ) -> Result<WorldStore, StoreError> {
        Err(StoreError {
            place: place.to_owned(),
            name: "the bucket".to_owned(),
            problem: "this program knows folders only; build it with the feature s3".to_owned(),
            is_temporary: false,
        })
    }
}

/// Returns an error and what caused it.
fn causes<'e>(
    error: &'e (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'e (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source())
}

/// Returns whether a fault of the system may go away by itself: a full disk does, a folder that must not be
/// written does not.
fn is_temporary_fault(kind: std::io::ErrorKind) -> bool {
    use std::io::ErrorKind;
    !matches!(
        kind,
        ErrorKind::PermissionDenied
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(store: &WorldStore) {
        assert_eq!(store.read("tiles/a").expect("a store"), None);
        assert_eq!(store.size("tiles/a").expect("a store"), None);
        store.write("tiles/a", vec![1, 2, 3]).expect("it is written");
        store.write("tiles/b", Vec::new()).expect("it is written");
        store.write("tiles/a", vec![4]).expect("it is replaced");
        assert_eq!(store.read("tiles/a").expect("a store"), Some(vec![4]));
        assert_eq!(store.size("tiles/a").expect("a store"), Some(1));
        let names = |folder| -> Vec<String> {
            let files = store.list(folder).expect("a store");
            files.into_iter().map(|file| file.name).collect()
        };
        assert_eq!(names("tiles"), ["tiles/a", "tiles/b"]);
        assert_eq!(names("seams"), [""; 0]);
    }

    #[test]
    fn folders_and_memory_are_stores() {
        check(&WorldStore::in_memory());
        let folder = tempfile::tempdir().expect("a folder");
        check(&WorldStore::in_folder(&folder.path().join("new/store")).expect("a store"));
    }

    #[test]
    fn places_of_other_kinds_are_refused() {
        let open = |place: &str| WorldStore::open(place, []).expect_err("no store").to_string();
        assert!(open("ftp://host/folder").contains("ftp:// is no kind of store"));
        #[cfg(not(feature = "s3"))]
        assert!(open("s3://bucket/folder").contains("build it with the feature s3"));
    }

    #[test]
    fn a_file_in_place_of_a_folder_is_a_permanent_fault() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "text").expect("it is written");
        let error = WorldStore::in_folder(&file).expect_err("a file");
        assert!(error.to_string().contains("the folder of the store"), "{error}");
        let error = WorldStore::in_folder(&file.join("inside")).expect_err("in a file");
        assert!(!error.is_temporary, "{error}");
    }
}
