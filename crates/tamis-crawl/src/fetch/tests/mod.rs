//! Servers of all kinds, each a few lines, and what becomes of talking to them.

mod exact;
mod hostile;
mod http2;
mod keep_alive;
mod refused;
mod server;
mod tls;
