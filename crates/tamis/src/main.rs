//! The program `tamis`. All of it is in the library beside this file, where tests can reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    tamis::run(&std::env::args_os().collect::<Vec<_>>())
}
