//! Written by `weir bench`.

fn main() -> std::process::ExitCode {
    {{library}}::weir_native_program()
}
