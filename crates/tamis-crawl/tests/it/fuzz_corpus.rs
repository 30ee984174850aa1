//! What fuzzing found worth keeping, gone over again: the same checks as in the fuzz target, on stable Rust.

#[expect(unreachable_pub, reason = "the fuzz target uses it as a module of its own")]
#[path = "../../../../fuzz/src/robots.rs"]
mod robots;

#[test]
fn what_sites_say_to_crawlers() {
    tamis_testkit::replay("robots", robots::check);
}
