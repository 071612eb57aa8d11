//! What the linker must be told where it would look for Python's symbols: on macOS they are found
//! when the library is loaded.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
