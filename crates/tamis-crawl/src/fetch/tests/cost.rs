//! What an exchange costs, to be run by hand: `cargo test --release -p tamis-crawl cost -- --ignored --nocapture`.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::super::Connection;
use super::server::{address, config, run};

const PAGE_BYTES: usize = 10_000;

/// The time the threads of this process spent, their own and the kernel's for them, in microseconds.
fn cpu_us() -> u64 {
    let threads = std::fs::read_dir("/proc/self/task").expect("Linux").map_while(Result::ok);
    let spent = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("schedstat")).ok());
    spent.filter_map(|text| text.split(' ').next()?.parse::<u64>().ok()).sum::<u64>() / 1000
}

/// The server, in a process of its own so that its time is not counted.
#[test]
#[ignore = "runs until it is killed"]
fn cost_server() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    println!("at {}", listener.local_addr().expect("a port"));
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

#[test]
#[ignore = "a measurement"]
fn cost_of_an_exchange() {
    let own = std::env::current_exe().expect("a test binary");
    let mut server = Command::new(own)
        .args(["fetch::tests::cost::cost_server", "--exact", "--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the test binary runs");
    let mut text = String::new();
    let mut output = server.stdout.take().expect("a pipe");
    let at: SocketAddr = loop {
        let mut byte = [0];
        output.read_exact(&mut byte).expect("the server says where it is");
        text.push(char::from(byte[0]));
        if let Some(at) = text.strip_suffix('\n').and_then(|line| line.rsplit("at ").next()?.parse().ok()) {
            break at;
        }
    };
    for connections in [1_usize, 100] {
        let exchanges = 200_000 / connections;
        let (began, cpu) = (Instant::now(), cpu_us());
        run(async {
            let tasks: Vec<_> = (0..connections).map(|_| tokio::spawn(ask(at, exchanges))).collect();
            for task in tasks {
                task.await.expect("no panic");
            }
        });
        let count = (exchanges * connections) as f64;
        let (cpu, wall) = ((cpu_us() - cpu) as f64 / count, began.elapsed().as_micros() as f64 / count);
        println!("{connections} connections: {cpu:.1} µs CPU, {wall:.1} µs wall an exchange");
    }
    server.kill().expect("the server runs");
    server.wait().expect("the server ends");
    std::io::stdout().flush().expect("stdout");
}

async fn ask(at: SocketAddr, exchanges: usize) {
    let page = address(at, "/some/page.html");
    let mut connection = Connection::open(&page, at, &config()).await.expect("connects");
    for _ in 0..exchanges {
        let exchange = connection.get(&page).await.expect("an answer");
        assert_eq!(exchange.raw_body().len(), PAGE_BYTES);
    }
}
