//! Traps in queries.

use super::super::verdict::Trap;
use super::TrapOptions;
use super::calendar::{Window, is_far_parameter};

/// More parameters than these are not compared with each other.
const COMPARED: usize = 64;

pub(super) fn find(query: &str, options: &TrapOptions, window: Window) -> Option<Trap> {
    if query.is_empty() {
        return None;
    }
    let (mut parameters, mut len) = ([""; COMPARED], 0);
    for parameter in query.split(['&', ';']).filter(|parameter| !parameter.is_empty()) {
        if len < COMPARED {
            parameters[len] = parameter;
        }
        len += 1;
        if is_far_parameter(parameter, window) {
            return Some(Trap::Calendar);
        }
    }
    if len > options.max_parameters as usize {
        return Some(Trap::ManyParameters);
    }
    let parameters = &parameters[..len.min(COMPARED)];
    says_again(parameters, options.max_same_parameter as usize).then_some(Trap::RepeatedParameter)
}

/// Whether one parameter with its value stands there more than `max` times. Without a value it may be the `amp` of
/// references that were written twice.
fn says_again(parameters: &[&str], max: usize) -> bool {
    parameters.len() > max
        && parameters.iter().enumerate().any(|(at, one)| {
            parameters[at..].iter().filter(|other| *other == one).count() > max && one.contains('=')
        })
}
