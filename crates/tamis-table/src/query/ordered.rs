//! Partitions run side by side, their rows handed on in turn.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use futures::StreamExt;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet};

use super::Prepared;
use super::error::BROKEN;

/// So many batches of a partition may wait for their turn.
const WAITING: usize = 8;

/// Runs all partitions, some at a time, and hands on their rows in the order of the partitions.
///
/// Memory: two partitions for each thread wait for their turn at most, each with eight batches.
pub(super) async fn run(
    query: &Prepared,
    context: Arc<TaskContext>,
    jobs: NonZero<usize>,
    each: &mut dyn FnMut(RecordBatch) -> ControlFlow<()>,
) -> Result<()> {
    let splits = query.pages.as_ref().map(|pages| pages.ledger().expected_in_turn()).unwrap_or_default();
    let partitions = query.plan.properties().output_partitioning().partition_count();
    let mut window = Window { skip: query.window.0, take: query.window.1.unwrap_or(usize::MAX) };
    let mut runs = Runs::new(query.plan.clone(), context, jobs);
    for at in 0..partitions {
        runs.start_up_to((at + 2 * jobs.get()).min(partitions));
        let mut first = runs.next().await;
        if let (Some(pages), Some(&(file, start))) = (&query.pages, splits.get(at))
            && pages.ledger().correct(file, start)
        {
            let has_left = pages.ledger().has_left();
            runs.restart(at).await;
            if !has_left {
                pages.ledger().stay();
            }
            first = runs.next().await;
        }
        let mut rows = 0;
        while let Some(batch) = first {
            let batch = batch?;
            let left = window.skip.saturating_add(window.take);
            rows += batch.num_rows().min(left);
            if window.give(&batch, each).is_break() {
                if let (Some(pages), Some(&(file, start))) = (&query.pages, splits.get(at)) {
                    pages.ledger().enter_last(file, start, rows as u64);
                }
                query.leave();
                return Ok(());
            }
            first = runs.next().await;
        }
        runs.done();
    }
    Ok(())
}

/// The rows that are passed over, and those that are taken.
struct Window {
    skip: usize,
    take: usize,
}

impl Window {
    fn give(
        &mut self,
        batch: &RecordBatch,
        each: &mut dyn FnMut(RecordBatch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let skip = self.skip.min(batch.num_rows());
        let take = self.take.min(batch.num_rows() - skip);
        self.skip -= skip;
        self.take -= take;
        if take > 0 {
            each(batch.slice(skip, take))?;
        }
        if self.take == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Rows of a partition; none at its end. A channel that closes without that was left by a panic.
type Sent = Option<Result<RecordBatch>>;

/// Partitions that run, the one whose turn it is first. All end when this is dropped.
struct Runs {
    plan: Arc<dyn ExecutionPlan>,
    context: Arc<TaskContext>,
    seats: Arc<Semaphore>,
    tasks: JoinSet<()>,
    started: usize,
    rows: VecDeque<(mpsc::Receiver<Sent>, AbortHandle)>,
}

impl Runs {
    fn new(plan: Arc<dyn ExecutionPlan>, context: Arc<TaskContext>, jobs: NonZero<usize>) -> Self {
        let seats = Arc::new(Semaphore::new(jobs.get()));
        Self { plan, context, seats, tasks: JoinSet::new(), started: 0, rows: VecDeque::new() }
    }

    /// Starts partitions until so many were started.
    fn start_up_to(&mut self, count: usize) {
        while self.started < count {
            let run = self.start(self.started, Some(self.seats.clone()));
            self.rows.push_back(run);
            self.started += 1;
        }
    }

    fn start(
        &mut self,
        partition: usize,
        seats: Option<Arc<Semaphore>>,
    ) -> (mpsc::Receiver<Sent>, AbortHandle) {
        let (send, receive) = mpsc::channel(WAITING);
        let (plan, context) = (self.plan.clone(), self.context.clone());
        let task = self.tasks.spawn(async move {
            // Seats are taken in the order they are asked for, and the semaphore is never closed.
            let _seat = match seats {
                Some(seats) => seats.acquire_owned().await.ok(),
                None => None,
            };
            let mut rows = match plan.execute(partition, context) {
                Ok(rows) => rows,
                Err(error) => return drop(send.send(Some(Err(error))).await),
            };
            while let Some(batch) = rows.next().await {
                if send.send(Some(batch)).await.is_err() {
                    return;
                }
            }
            // Who does not listen any more needs no end.
            _ = send.send(None).await;
        });
        (receive, task)
    }

    /// The next rows of the partition whose turn it is.
    async fn next(&mut self) -> Option<Result<RecordBatch>> {
        let sent = self.rows.front_mut()?.0.recv().await;
        let broken = || Some(Err(DataFusionError::Execution(BROKEN.to_owned())));
        sent.unwrap_or_else(broken)
    }

    /// Runs the partition whose turn it is again, without a seat: those who have one may wait for their turn.
    async fn restart(&mut self, partition: usize) {
        if let Some((mut rows, task)) = self.rows.pop_front() {
            task.abort();
            // It may be in the middle of a chunk, and must not enter its range after the other does.
            while rows.recv().await.is_some() {}
        }
        let run = self.start(partition, None);
        self.rows.push_front(run);
    }

    /// Gives the turn to the next partition.
    fn done(&mut self) {
        self.rows.pop_front();
        while self.tasks.try_join_next().is_some() {}
    }
}
