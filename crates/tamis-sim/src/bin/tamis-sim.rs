//! Serves a simulated web for benches and for other crawlers, and says what they did when it ends.
//!
//! It ends when its stdin is closed or on SIGINT or SIGTERM, and then writes the audit to stdout as JSON.

use std::error::Error;
use std::fs;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

use tamis_sim::{AuditRules, OracleRules, Running, ServeOptions, World, WorldOptions, oracle, serve};

const USAGE: &str = "\
usage: tamis-sim [--world plain|polite|hostile|demo] [--seed N] [--hosts N] [--pages N] [--addresses N]
                 [--page-bytes N] [--markup SHARE] [--tls SHARE] [--crawl-delay MS] [--threads N] [--port N] [--second-port N]
                 [--hosts-file FILE] [--ca FILE] [--seeds FILE] [--oracle FILE]
                 [--host-delay MS] [--ip-delay MS] [--slice MS] [--agent NAME] [--daemon]
  --hosts-file FILE   lines `address:port host` for the crawler
  --ca FILE           the certificate to trust
  --seeds FILE        the URL to start at
  --oracle FILE       every URL that a perfect crawler named NAME fetches from there
  --daemon            do not end when stdin is closed
A crawler that knows no hosts file can use any of the addresses as its proxy for http.";

struct Args {
    world: WorldOptions,
    serve: ServeOptions,
    rules: AuditRules,
    hosts_file: Option<String>,
    ca: Option<String>,
    seeds: Option<String>,
    oracle: Option<String>,
    daemon: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = read_args(std::env::args().skip(1).collect())?;
    let running = serve(Arc::new(World::new(args.world.clone())), &args.serve)?;
    write_files(&running, &args)?;
    eprintln!("serving {} hosts; end with Ctrl-C or by closing stdin", running.world().hosts().count());
    wait(args.daemon)?;
    let audit = running.audit(&args.rules);
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &audit)?;
    writeln!(out)?;
    Ok(())
}

fn write_files(running: &Running, args: &Args) -> io::Result<()> {
    let seeds = running.world().seeds(1);
    let write = |path: &Option<String>, text: &dyn Fn() -> String| match path {
        Some(path) => fs::write(path, text()),
        None => Ok(()),
    };
    write(&args.ca, &|| running.ca_pem().to_owned())?;
    write(&args.seeds, &|| seeds.join("\n") + "\n")?;
    write(&args.oracle, &|| {
        let rules = OracleRules { agent: &args.rules.agent, ..OracleRules::default() };
        let reach = oracle(running.world(), &seeds, &rules);
        reach.pages.into_iter().map(|url| url + "\n").collect()
    })?;
    // The last, so that whoever waits for it finds the others.
    write(&args.hosts_file, &|| running.hosts_file())
}

/// Waits for a signal or for the end of stdin.
fn wait(daemon: bool) -> Result<(), Box<dyn Error>> {
    let (end, ended) = mpsc::channel();
    let signal = end.clone();
    ctrlc::set_handler(move || {
        let _ = signal.send(());
    })?;
    if !daemon {
        thread::spawn(move || {
            let _ = io::stdin().lock().read_to_end(&mut Vec::new());
            let _ = end.send(());
        });
    }
    // It fails only if nobody could end us any more.
    let _ = ended.recv();
    Ok(())
}

fn read_args(words: Vec<String>) -> Result<Args, Box<dyn Error>> {
    let mut args = Args {
        world: preset(&words)?,
        serve: ServeOptions::default(),
        rules: AuditRules::default(),
        hosts_file: None,
        ca: None,
        seeds: None,
        oracle: None,
        daemon: false,
    };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--daemon" {
            args.daemon = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word} has no value\n{USAGE}"))?;
        set(&mut args, &word, &value).map_err(|error| format!("{word} {value}: {error}\n{USAGE}"))?;
    }
    Ok(args)
}

fn set(args: &mut Args, word: &str, value: &str) -> Result<(), Box<dyn Error>> {
    match word {
        // Read before all others, since it sets them.
        "--world" | "--seed" | "--hosts" | "--pages" => {}
        "--addresses" => args.world.addresses = value.parse()?,
        "--markup" => args.world.markup = value.parse()?,
        "--page-bytes" => args.world.page_bytes = value.parse()?,
        "--crawl-delay" => args.world.crawl_delay_ms = value.parse()?,
        "--tls" => args.world.tls = value.parse()?,
        "--threads" => args.serve.threads = value.parse()?,
        "--port" => args.serve.port = value.parse()?,
        "--second-port" => args.serve.second_port = Some(value.parse()?),
        "--hosts-file" => args.hosts_file = Some(value.to_owned()),
        "--ca" => args.ca = Some(value.to_owned()),
        "--seeds" => args.seeds = Some(value.to_owned()),
        "--oracle" => args.oracle = Some(value.to_owned()),
        "--host-delay" => args.rules.host_delay_ms = value.parse()?,
        "--ip-delay" => args.rules.ip_delay_ms = value.parse()?,
        "--slice" => args.rules.slice_ms = value.parse()?,
        "--agent" => value.clone_into(&mut args.rules.agent),
        _ => return Err("no such option".into()),
    }
    Ok(())
}

fn preset(words: &[String]) -> Result<WorldOptions, Box<dyn Error>> {
    let find = |name: &str| words.iter().position(|word| word == name).and_then(|at| words.get(at + 1));
    let number = |name: &str, default: u32| find(name).map_or(Ok(default), |value| value.parse());
    let seed = find("--seed").map_or(Ok(1), |value| value.parse())?;
    let (hosts, pages) = (number("--hosts", 100)?, number("--pages", 10_000)?);
    match find("--world").map_or("plain", String::as_str) {
        "plain" => Ok(WorldOptions::plain(seed, hosts, pages)),
        "polite" => Ok(WorldOptions::polite_test(seed, hosts, pages)),
        "hostile" => Ok(WorldOptions::hostile(seed, hosts, pages)),
        "demo" => Ok(WorldOptions::demo(seed)),
        other => Err(format!("no world is called {other}\n{USAGE}").into()),
    }
}
