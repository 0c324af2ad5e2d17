//! What a target is made of: with libFuzzer what it calls; without it a program that tries the files that it is given,
//! to see a crash once more.

macro_rules! target {
    ($run:path) => {
        target!($run, init: ());
    };
    ($run:path, init: $init:expr) => {
        #[cfg(feature = "linked")]
        libfuzzer_sys::fuzz_target!(init: $init, |data: &[u8]| $run(data));

        #[cfg(not(feature = "linked"))]
        fn main() {
            $init;
            for file in std::env::args_os().skip(1) {
                $run(&std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())));
            }
        }
    };
}
