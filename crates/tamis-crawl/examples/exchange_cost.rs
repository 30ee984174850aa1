//! What an exchange of 10 KB costs: `cargo run --release -p tamis-crawl --example exchange_cost`.
//!
//! The server is this program again, in a process of its own, so that its time is not counted.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Instant;

use tamis_crawl::Address;
use tamis_crawl::fetch::{Connection, FetchConfig, FetchOptions};

const PAGE_BYTES: usize = 10_000;
const EXCHANGES: usize = 200_000;

fn main() {
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return serve();
    }
    let own = std::env::current_exe().expect("this program");
    let mut server = Command::new(own).arg("serve").stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("it says where it is");
    let at: SocketAddr = line.trim().parse().expect("an address");
    for connections in [1, 100] {
        measure(at, connections);
    }
    server.kill().expect("the server runs");
    server.wait().expect("the server ends");
}

fn measure(at: SocketAddr, connections: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (began, cpu) = (Instant::now(), cpu_us());
    runtime.block_on(async {
        let tasks: Vec<_> =
            (0..connections).map(|_| tokio::spawn(ask(at, EXCHANGES / connections))).collect();
        for task in tasks {
            task.await.expect("no panic");
        }
    });
    let count = EXCHANGES as f64;
    let (cpu, wall) = ((cpu_us() - cpu) as f64 / count, began.elapsed().as_micros() as f64 / count);
    println!("{connections} connections: {cpu:.1} µs CPU, {wall:.1} µs wall an exchange");
}

async fn ask(at: SocketAddr, exchanges: usize) {
    let page = Address::parse(&format!("http://{at}/some/page.html")).expect("an address");
    let options =
        FetchOptions { allow_private: true, ..FetchOptions::new("cost/1 (+mailto:nobody@example.org)") };
    let config = FetchConfig::new(&options).expect("good options");
    let mut connection = Connection::open(&page, at, &config).await.expect("connects");
    for _ in 0..exchanges {
        let exchange = connection.get(&page).await.expect("an answer");
        assert_eq!(exchange.raw_body().len(), PAGE_BYTES);
    }
}

fn serve() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    println!("{}", listener.local_addr().expect("a port"));
    let page = format!("HTTP/1.1 200 OK\r\nContent-Length: {PAGE_BYTES}\r\n\r\n{}", "x".repeat(PAGE_BYTES));
    let page: &'static str = page.leak();
    for stream in listener.incoming().map_while(Result::ok) {
        std::thread::spawn(move || answer_all(stream, page));
    }
}

fn answer_all(mut stream: TcpStream, page: &str) {
    let mut buffer = [0; 4096];
    while stream.read(&mut buffer).is_ok_and(|len| len > 0) && stream.write_all(page.as_bytes()).is_ok() {}
}

/// The time the threads of this process spent, their own and the kernel's for them, in microseconds.
fn cpu_us() -> u64 {
    let threads = std::fs::read_dir("/proc/self/task").expect("Linux").map_while(Result::ok);
    let spent = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("schedstat")).ok());
    spent.filter_map(|text| text.split(' ').next()?.parse::<u64>().ok()).sum::<u64>() / 1000
}
