//! What fuzzing found worth keeping, gone over again: the same checks as in the fuzz target, on stable Rust.

#[expect(unreachable_pub, reason = "the fuzz target uses it as a module of its own")]
#[path = "../../../../fuzz/src/page.rs"]
mod page;

#[test]
fn pages_of_any_bytes() {
    tamis_testkit::replay("page", page::check);
}
