//! A connection whose other end must take what is sent to it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::Slot;

/// While something waits, the other end takes all of it or so many bytes within the time: a reader that takes a byte now
/// and then holds a connection and its buffers no longer than one that takes none.
const ENOUGH: usize = 64 * 1024;

/// A stream that fails when its other end does not read.
pub(super) struct Paced<S> {
    stream: S,
    within: Duration,
    waiting: Option<Waiting>,
    /// The connection counts as long as there is a stream, upgraded or not.
    _slot: Slot,
}

/// Something waits to be sent.
struct Waiting {
    until: Pin<Box<Sleep>>,
    taken: usize,
}

impl<S> Paced<S> {
    pub(super) const fn new(stream: S, slot: Slot, within: Duration) -> Paced<S> {
        Paced { stream, within, waiting: None, _slot: slot }
    }

    /// So many bytes were taken.
    fn took(&mut self, bytes: usize) {
        if let Some(waiting) = &mut self.waiting {
            waiting.taken += bytes;
            if waiting.taken >= ENOUGH {
                self.waiting = None;
            }
        }
    }

    /// Nothing was taken: waits on, or no longer.
    fn wait<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        let within = self.within;
        let waiting =
            self.waiting.get_or_insert_with(|| Waiting { until: Box::pin(sleep(within)), taken: 0 });
        ready!(waiting.until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn wrote(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => self.wait(context),
            Poll::Ready(result) => {
                self.took(*result.as_ref().unwrap_or(&0));
                Poll::Ready(result)
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wrote(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.wrote(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_flush(context) {
            Poll::Pending => self.wait(context),
            Poll::Ready(result) => {
                // Everything was taken.
                self.waiting = None;
                Poll::Ready(result)
            }
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_shutdown(context) {
            Poll::Pending => self.wait(context),
            Poll::Ready(result) => Poll::Ready(result),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};
    use tokio::time::{Instant, advance};

    use super::*;
    use crate::listen::Caps;

    const WITHIN: Duration = Duration::from_secs(30);

    fn paced<S>(stream: S) -> Paced<S> {
        let slot = Caps::default().take(Ipv4Addr::LOCALHOST.into()).expect("a slot");
        Paced::new(stream, slot, WITHIN)
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_reads_nothing_is_cut_off() {
        let (ours, _theirs) = duplex(1024);
        let since = Instant::now();
        let written = paced(ours).write_all(&[0; 4096]).await;
        assert_eq!(written.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        assert_eq!(since.elapsed(), WITHIN);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_reads_a_byte_now_and_then_is_cut_off_as_well() {
        let (ours, mut theirs) = duplex(1024);
        let reader = tokio::spawn(async move {
            while theirs.read_u8().await.is_ok() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        let since = Instant::now();
        let written = paced(ours).write_all(&[0; 4096]).await;
        assert_eq!(written.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        assert!(since.elapsed() <= WITHIN + Duration::from_secs(1), "{:?}", since.elapsed());
        reader.abort();
    }

    /// Time between answers is the reader's own, and a large answer may take its time if it is read.
    #[tokio::test(start_paused = true)]
    async fn whoever_reads_is_not() {
        let (ours, mut theirs) = duplex(16 * 1024);
        let reader = tokio::spawn(async move {
            let (mut all, mut buffer) = (0, vec![0; 16 * 1024]);
            loop {
                let read = theirs.read(&mut buffer).await.expect("read");
                all += read;
                if read == 0 {
                    return all;
                }
                tokio::time::sleep(Duration::from_secs(5)).await;
            }
        });
        let mut stream = paced(ours);
        for _ in 0..3 {
            stream.write_all(&vec![0; 400 * 1024]).await.expect("taken");
            stream.flush().await.expect("flushed");
            advance(WITHIN * 10).await;
        }
        drop(stream);
        assert_eq!(reader.await.expect("read"), 3 * 400 * 1024);
    }
}
