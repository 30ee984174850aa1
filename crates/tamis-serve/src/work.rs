//! Reading archives, on blocking threads of which there are only so many.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use http::Response;
use tokio::sync::{Semaphore, oneshot};

use crate::failure::Failure;
use crate::outlet::Responder;

/// The threads that read.
#[derive(Clone)]
pub(crate) struct Work {
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most_waiting: usize,
}

impl Work {
    /// At most so many at once, and so many that wait.
    pub(crate) fn new(most: usize, most_waiting: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(most)), waiting: Arc::default(), most_waiting }
    }

    /// Runs a job that answers a request. A failure before the head of its response is the response.
    pub(crate) async fn answer(
        &self,
        job: impl FnOnce(Responder) -> Result<(), Failure> + Send + 'static,
    ) -> Result<Response<Body>, Failure> {
        let busy = || Failure::Busy("too many requests at once; try again".to_owned());
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.most_waiting {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(busy());
        }
        let permit = self.permits.clone().acquire_owned().await;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        let permit = permit.map_err(|_| busy())?;
        let (sender, receiver) = oneshot::channel();
        let responder = Responder::new(sender);
        let task = tokio::task::spawn_blocking(move || {
            let result = job(responder);
            drop(permit);
            result
        });
        match receiver.await {
            Ok(response) => Ok(response),
            // It ended without a response: with a failure, or by a panic, which the runtime has caught.
            Err(_) => match task.await {
                Ok(Err(failure)) => Err(failure),
                Ok(Ok(())) | Err(_) => Err(Failure::Archive("the request could not be answered".to_owned())),
            },
        }
    }
}
