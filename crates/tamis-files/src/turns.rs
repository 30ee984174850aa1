//! Messages of several threads about numbered pieces, received in the order of the pieces; few of them wait.

use std::collections::{BTreeMap, VecDeque};
use std::ops::{ControlFlow, Deref};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Who may hand over what, and when.
///
/// Pieces are taken in order, so that the piece whose turn it is has always been taken: its thread may hand over one message
/// however many of others wait, and so does not wait for them.
pub struct Turns<M> {
    state: Mutex<State<M>>,
    /// Something may be handed over or given up.
    room: Condvar,
    /// A message came, or a thread ended.
    arrived: Condvar,
    limit: usize,
}

struct State<M> {
    /// The piece that is taken next.
    next: usize,
    /// The piece whose turn it is. What comes of earlier ones is not wanted.
    current: usize,
    waiting: BTreeMap<usize, VecDeque<M>>,
    workers: usize,
    is_stopped: bool,
}

impl<M> Turns<M> {
    /// Lets so many messages wait.
    pub fn new(limit: usize) -> Self {
        let state = State { next: 0, current: 0, waiting: BTreeMap::new(), workers: 0, is_stopped: false };
        Self { state: Mutex::new(state), room: Condvar::new(), arrived: Condvar::new(), limit }
    }

    /// What a thread holds that hands over. When all are dropped, or one while it panics, nothing more is expected.
    pub fn worker(&self) -> Worker<'_, M> {
        self.lock().workers += 1;
        Worker(self)
    }

    /// What the receiver holds: when it is dropped, no thread goes on.
    pub fn stopped_when_dropped(&self) -> Receiver<'_, M> {
        Receiver(self)
    }

    /// The next piece to work on.
    pub fn take(&self) -> Option<usize> {
        let mut state = self.lock();
        let index = state.next.max(state.current);
        state.next = index + 1;
        (!state.is_stopped).then_some(index)
    }

    /// Hands over a message about a piece, as soon as it may wait. Breaks off where nothing of the piece is wanted.
    pub fn hand_over(&self, piece: usize, message: M) -> ControlFlow<()> {
        let state = self.lock();
        let is_full = |state: &mut State<M>| !state.is_unwanted(piece) && !state.has_room(piece, self.limit);
        let mut state = self.room.wait_while(state, is_full).unwrap_or_else(PoisonError::into_inner);
        if state.is_unwanted(piece) {
            return ControlFlow::Break(());
        }
        state.waiting.entry(piece).or_default().push_back(message);
        self.arrived.notify_one();
        ControlFlow::Continue(())
    }

    /// The next message about a piece, whose turn it is. None if no thread will hand one over.
    pub fn receive(&self, piece: usize) -> Option<M> {
        let state = self.lock();
        let is_awaited = |state: &mut State<M>| {
            !state.waiting.contains_key(&piece) && state.workers > 0 && !state.is_stopped
        };
        let mut state = self.arrived.wait_while(state, is_awaited).unwrap_or_else(PoisonError::into_inner);
        let queue = state.waiting.get_mut(&piece)?;
        let message = queue.pop_front();
        if queue.is_empty() {
            state.waiting.remove(&piece);
        }
        self.room.notify_all();
        message
    }

    /// Makes it the turn of a piece. What waits of those before is dropped.
    pub fn go_on_to(&self, piece: usize) {
        let mut state = self.lock();
        state.current = piece;
        let wanted = state.waiting.split_off(&piece);
        let unwanted = std::mem::replace(&mut state.waiting, wanted);
        self.room.notify_all();
        drop(state);
        drop(unwanted);
    }

    fn lock(&self) -> MutexGuard<'_, State<M>> {
        // What was changed under it is whole at every moment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M> State<M> {
    fn is_unwanted(&self, piece: usize) -> bool {
        self.is_stopped || piece < self.current
    }

    fn has_room(&self, piece: usize, limit: usize) -> bool {
        let is_idle = piece == self.current && !self.waiting.contains_key(&piece);
        is_idle || self.waiting.values().map(VecDeque::len).sum::<usize>() < limit
    }
}

/// See [`Turns::worker`].
pub struct Worker<'a, M>(&'a Turns<M>);

impl<M> Deref for Worker<'_, M> {
    type Target = Turns<M>;

    fn deref(&self) -> &Turns<M> {
        self.0
    }
}

impl<M> Drop for Worker<'_, M> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.workers -= 1;
        // What it had to hand over never comes, and others may wait for their turn behind it.
        state.is_stopped |= std::thread::panicking();
        self.0.room.notify_all();
        self.0.arrived.notify_one();
    }
}

/// See [`Turns::stopped_when_dropped`].
pub struct Receiver<'a, M>(&'a Turns<M>);

impl<M> Deref for Receiver<'_, M> {
    type Target = Turns<M>;

    fn deref(&self) -> &Turns<M> {
        self.0
    }
}

impl<M> Drop for Receiver<'_, M> {
    fn drop(&mut self) {
        self.0.lock().is_stopped = true;
        self.0.room.notify_all();
    }
}
