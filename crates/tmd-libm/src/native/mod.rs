//! Foreign functions and the floating-point environment around a call of one: all the unsafe code
//! of this crate.
//!
//! What is called is unknown code. It may read and write any memory, and end the process: so all of
//! this happens in a process of its own that does nothing else, and whose answers are believed as
//! far as they can be checked.
#![allow(unsafe_code)]

mod x86_64;

use std::ffi::{CStr, c_char};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

pub(crate) use x86_64::{Frame, Slot};

/// glibc's `RTLD_DEEPBIND`: where the library calls a function that it has itself, such as exp, it
/// is that one, and not the one of the libm that this program needs.
const DEEPBIND: std::ffi::c_int = if cfg!(all(target_os = "linux", target_env = "gnu")) { 8 } else { 0 };

/// A function of a library that takes a number and returns one.
pub(crate) struct Function {
    address: usize,
    /// keeps it loaded
    library: Library,
}

impl Function {
    /// Loads a library by its path, or by the name under which the system finds it, and looks a
    /// symbol up.
    pub(crate) fn load(library: &str, symbol: &str) -> Result<Self, String> {
        // SAFETY: what the library does when it is loaded is as unknown as what its functions do;
        // see the module.
        let library = unsafe { Library::open(Some(library), RTLD_NOW | RTLD_LOCAL | DEEPBIND) }
            .map_err(|error| format!("cannot load {library}: {error}"))?;
        let name = format!("{symbol}\0");
        // SAFETY: the type is not relied upon; only the address is taken, while the library is
        // loaded.
        let found = unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) };
        let address = found.map(|symbol| *symbol as usize).map_err(|error| error.to_string())?;
        Ok(Self { address, library })
    }

    pub(crate) fn address(&self) -> usize {
        self.address
    }

    /// The version of glibc, if that is the C library of this process.
    pub(crate) fn glibc(&self) -> Option<String> {
        // SAFETY: glibc declares `const char *gnu_get_libc_version(void)`, and no other library
        // uses the name.
        let version =
            unsafe { self.library.get::<unsafe extern "C" fn() -> *const c_char>(b"gnu_get_libc_version\0") };
        // SAFETY: it returns a string that is there as long as the process is.
        let text = unsafe { CStr::from_ptr(version.ok()?()) };
        Some(text.to_string_lossy().into_owned())
    }

    /// Calls the function with the pattern of each slot, in the environment that `frame` describes,
    /// and writes what comes back there.
    pub(crate) fn call(&self, frame: &mut Frame, slots: &mut [Slot], is_x87: bool) {
        x86_64::call(self.address, frame, slots, is_x87);
    }

    /// The same as fast as it goes, without what comes back.
    pub(crate) fn repeat(&self, frame: &mut Frame, slots: &[Slot], is_x87: bool) {
        x86_64::repeat(self.address, frame, slots, is_x87);
    }
}
