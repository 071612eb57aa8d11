//! What is set for the process before it begins: a signal, and a variable of its environment.

use crate::arguments::Command;

impl Command {
    /// Whether it may look for GPUs. What a run directory asks for is not known before it is open.
    pub(crate) fn may_look_for_devices(&self) -> bool {
        match self {
            Self::Search(options) => !options.engine_options.is_of_the_cpu(),
            Self::Solve(options) => !options.engine_options.is_of_the_cpu(),
            Self::Plan(options) => !options.engine_options.is_of_the_cpu(),
            Self::Status(_)
            | Self::Shard(_)
            | Self::Check(_)
            | Self::Needs(_)
            | Self::Table(_)
            | Self::TestLibm(_)
            | Self::LibmWorker(_) => false,
            _ => true,
        }
    }
}

/// A file that may grow no further (`ulimit -f`, `RLIMIT_FSIZE`) becomes an error of writing, which
/// says which file: the signal that comes with it would end the program without a word. To be
/// called once, before the first file is written.
pub fn expect_limits() {
    #[cfg(unix)]
    {
        use std::sync::{Arc, atomic::AtomicBool};
        // without a handler all is as it would be without this call
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

/// Where there is no window system, Mesa's layer that sorts Vulkan's devices complains of it on the
/// standard error, once for each look at them. This program sorts them itself: it begins anew with
/// the variable that leaves the layer out. Returns if there is nothing to be left out, or if it
/// cannot begin anew.
pub(crate) fn without_window_system() {
    #[cfg(target_os = "linux")]
    {
        use std::{env, os::unix::process::CommandExt, path::Path, process};
        let is_set = |name: &str| env::var_os(name).is_some();
        let has_windows = env::var_os("XDG_RUNTIME_DIR").is_some_and(|place| Path::new(&place).is_dir());
        // whoever asks the layer for a device gets it
        if has_windows || is_set("NODEVICE_SELECT") || is_set("MESA_VK_DEVICE_SELECT") {
            return;
        }
        let mut arguments = env::args_os();
        let (Ok(program), Some(name)) = (env::current_exe(), arguments.next()) else { return };
        // the same process with the same arguments; what comes back is why not
        let _ = process::Command::new(program).arg0(name).args(arguments).env("NODEVICE_SELECT", "1").exec();
    }
}
