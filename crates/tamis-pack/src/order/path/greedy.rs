//! One step after the other, each to the page that has most in common with the window.

use std::cmp::Reverse;
use std::collections::VecDeque;

use crate::order::values::{ALONE, Values};
use tamis_near::sketch::SLOTS;

/// Of pages with equal scores so many are compared with the page before.
const COMPARED: usize = 32;

/// The pages `0..lens.len()` in the order of the path.
pub(super) fn steps(values: &Values, lens: &[u64], window_bytes: u64) -> Vec<u32> {
    let mut walk = Walk::new(values, lens.len());
    let mut window = VecDeque::new();
    let mut bytes = 0;
    let mut steps = Vec::with_capacity(lens.len());
    while let Some(page) = walk.next(steps.last().copied()) {
        steps.push(page);
        walk.enter(page);
        window.push_back(page);
        bytes += lens[page as usize];
        while bytes > window_bytes
            && window.len() > 1
            && let Some(oldest) = window.pop_front()
        {
            bytes -= lens[oldest as usize];
            walk.leave(oldest);
        }
    }
    steps
}

/// Scores of all pages that are not placed yet.
struct Walk<'a> {
    values: &'a Values,
    /// How many pages of the window have a value.
    in_window: Vec<u32>,
    pages: Vec<State>,
    /// Pages by score. A page stands where its score was when it was the highest; it is put right when it is met.
    by_score: Vec<Vec<u32>>,
    /// All pages before it are placed.
    first_left: usize,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// How many of its values are in the window.
    score: u8,
    /// The highest list in which it stands.
    listed: u8,
    is_placed: bool,
}

impl<'a> Walk<'a> {
    fn new(values: &'a Values, pages: usize) -> Self {
        Self {
            values,
            in_window: vec![0; values.len()],
            pages: vec![State::default(); pages],
            by_score: vec![Vec::new(); SLOTS + 1],
            first_left: 0,
        }
    }

    /// The page with the highest score; if none has one, the next by address.
    fn next(&mut self, before: Option<u32>) -> Option<u32> {
        let found = before.and_then(|before| (1..=SLOTS).rev().find_map(|score| self.best_of(score, before)));
        let page = found.or_else(|| self.next_by_address())?;
        self.pages[page as usize].is_placed = true;
        Some(page)
    }

    fn next_by_address(&mut self) -> Option<u32> {
        let left = self.pages[self.first_left..].iter().position(|page| !page.is_placed)?;
        self.first_left += left;
        Some(self.first_left as u32)
    }

    /// Of the pages with a score, as far as they are looked at, the one nearest to the page before; then by address.
    fn best_of(&mut self, score: usize, before: u32) -> Option<u32> {
        let mut best = None;
        let mut at = self.by_score[score].len();
        let mut compared = 0;
        while at > 0 && compared < COMPARED {
            at -= 1;
            let page = self.by_score[score][at];
            if self.is_stale(page, score) {
                self.by_score[score].swap_remove(at);
                continue;
            }
            compared += 1;
            let likeness =
                (self.values.agreeing(page, before), Reverse(page.abs_diff(before)), Reverse(page));
            best = best.max(Some(likeness));
        }
        best.map(|(_, _, Reverse(page))| page)
    }

    /// Whether a page does not belong into the list; one whose score fell gets into its own.
    fn is_stale(&mut self, page: u32, list: usize) -> bool {
        let state = &mut self.pages[page as usize];
        if state.is_placed || usize::from(state.listed) != list {
            return true;
        }
        if usize::from(state.score) == list {
            return false;
        }
        state.listed = state.score;
        if state.score > 0 {
            self.by_score[usize::from(state.score)].push(page);
        }
        true
    }

    /// Values that were not in the window raise the scores of the pages that have them.
    fn enter(&mut self, page: u32) {
        for &value in self.values.of_page(page).iter().filter(|&&value| value != ALONE) {
            self.in_window[value as usize] += 1;
            if self.in_window[value as usize] == 1 {
                for &other in self.values.pages(value) {
                    let state = &mut self.pages[other as usize];
                    state.score += 1;
                    if state.score > state.listed && !state.is_placed {
                        state.listed = state.score;
                        self.by_score[usize::from(state.score)].push(other);
                    }
                }
            }
        }
    }

    fn leave(&mut self, page: u32) {
        for &value in self.values.of_page(page).iter().filter(|&&value| value != ALONE) {
            self.in_window[value as usize] -= 1;
            if self.in_window[value as usize] == 0 {
                for &other in self.values.pages(value) {
                    self.pages[other as usize].score -= 1;
                }
            }
        }
    }
}
