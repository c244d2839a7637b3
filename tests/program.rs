//! `weir`, as the tests run it.

fn main() -> std::process::ExitCode {
    weir::main()
}
