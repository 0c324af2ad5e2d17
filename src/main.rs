//! The program: everything it does is in [`ringmail::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ringmail::cli::main()
}
