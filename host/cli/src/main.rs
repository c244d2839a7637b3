//! The `weir` binary.

fn main() -> std::process::ExitCode {
    weir::main()
}
