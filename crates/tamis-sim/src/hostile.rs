//! How servers misbehave.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep};

use super::answer::Answer;
use super::coding;
use super::connection::{Connection, head};
use super::options::Special;
use super::request::Request;

const DRIP_EVERY_MS: u32 = 100;
const HUGE_FIELDS: usize = 256;
/// What endless heads and bodies are made of.
const PIECE: usize = 16 * 1024;
/// A greeting of another protocol.
const NOT_HTTP: &[u8] = b"220 sim.example ESMTP ready\r\n\0\x01\x02\xff\xfe";

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<'_, S> {
    /// Answers in the way of that special page; the connection is of no use afterwards.
    pub(super) async fn misbehave(
        &mut self,
        special: Special,
        request: &Request,
        answer: Answer,
    ) -> io::Result<()> {
        let options = &self.shared.world.options;
        let (slow_ms, stall_ms, endless) = (options.slow_ms, options.stall_ms, options.endless_bytes);
        let whole = whole(&answer, if request.head_only { &[] } else { &answer.body });
        match special {
            Special::Slow => {
                sleep(Duration::from_millis(u64::from(slow_ms))).await;
                self.send(&whole).await
            }
            Special::StallInHead => self.stall(b"HTTP/1.1 200 OK\r\nContent-Ty", stall_ms).await,
            Special::StallInBody => self.stall(&whole[..whole.len() / 2], stall_ms).await,
            Special::Drip => self.drip(&whole, stall_ms).await,
            Special::LengthTooShort => self.send_with_length(&answer, answer.body.len() / 2).await,
            Special::LengthTooLong => self.send_with_length(&answer, answer.body.len() * 2).await,
            Special::CloseInChunk => {
                let coded = coding::chunked(&answer.body);
                self.send_chunked(&answer, &coded[..coded.len() / 2]).await
            }
            Special::BadChunk => self.send_chunked(&answer, b"5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n").await,
            Special::GzipBomb => self.bomb(&answer).await,
            Special::HugeHead => {
                let field = format!("X-Long: {}\r\n", "a".repeat(1000));
                let head = format!("{}{}", head(&answer), field.repeat(HUGE_FIELDS));
                let rest = format!("Content-Length: {}\r\nConnection: close\r\n\r\n", answer.body.len());
                self.send(&[head.as_bytes(), rest.as_bytes(), &answer.body].concat()).await
            }
            Special::EndlessHead => {
                self.send(b"HTTP/1.1 200 OK\r\n").await?;
                self.repeat(format!("X-More: {}\r\n", "b".repeat(200)).as_bytes(), endless).await
            }
            Special::EndlessBody => {
                self.send(format!("{}\r\n", head(&answer)).as_bytes()).await?;
                self.repeat(b"<p>And on and on and on.</p>\n", endless).await
            }
            Special::NotHttp => self.send(NOT_HTTP).await,
            // The connection ends without a byte.
            _ => Ok(()),
        }
    }

    async fn stall(&mut self, start: &[u8], longest_ms: u32) -> io::Result<()> {
        self.send(start).await?;
        self.wait_for_the_client(longest_ms).await;
        Ok(())
    }

    async fn drip(&mut self, bytes: &[u8], longest_ms: u32) -> io::Result<()> {
        let end = Instant::now() + Duration::from_millis(u64::from(longest_ms));
        for byte in bytes {
            self.send(std::slice::from_ref(byte)).await?;
            let before = Instant::now();
            self.wait_for_the_client(DRIP_EVERY_MS).await;
            // It did not wait so long: the client is gone.
            let gone = before.elapsed() < Duration::from_millis(u64::from(DRIP_EVERY_MS));
            if gone || Instant::now() > end {
                break;
            }
        }
        Ok(())
    }

    async fn send_with_length(&mut self, answer: &Answer, len: usize) -> io::Result<()> {
        let head = format!("{}Content-Length: {len}\r\n\r\n", head(answer));
        self.send(&[head.as_bytes(), &answer.body].concat()).await
    }

    async fn send_chunked(&mut self, answer: &Answer, coded: &[u8]) -> io::Result<()> {
        let head = format!("{}Transfer-Encoding: chunked\r\n\r\n", head(answer));
        self.send(&[head.as_bytes(), coded].concat()).await
    }

    async fn bomb(&mut self, answer: &Answer) -> io::Result<()> {
        let bomb = self.shared.bomb();
        let length = format!("Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", bomb.len());
        self.send(format!("{}{length}", head(answer)).as_bytes()).await?;
        self.send(bomb).await
    }

    async fn repeat(&mut self, piece: &[u8], bytes: u64) -> io::Result<()> {
        let piece = piece.repeat(PIECE / piece.len() + 1);
        for _ in 0..bytes / piece.len() as u64 {
            self.send(&piece).await?;
            // Others on this thread want to be served, too.
            tokio::task::yield_now().await;
        }
        Ok(())
    }
}

fn whole(answer: &Answer, body: &[u8]) -> Vec<u8> {
    let head = format!("{}Content-Length: {}\r\nConnection: close\r\n\r\n", head(answer), answer.body.len());
    [head.as_bytes(), body].concat()
}
