//! Ctrl-C.

#[cfg(unix)]
#[test]
fn the_first_interrupt_only_raises_a_flag() {
    use std::process::{self, Command};
    use std::thread;
    use std::time::Duration;

    use tamis::interrupt;

    interrupt::watch();
    interrupt::watch();
    assert_eq!(interrupt::check(), Ok(()));
    let sent = Command::new("kill").args(["-INT", &process::id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let raised = (0..500).any(|_| {
        thread::sleep(Duration::from_millis(10));
        interrupt::requested()
    });
    assert!(raised, "the flag is raised within five seconds");
    assert_eq!(interrupt::check(), Err(interrupt::Interrupted::default()));
}
