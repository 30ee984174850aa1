//! tamis' own reader: WARC and HTTP heads parsed, payloads taken from its window without a copy.

use anyhow::Result;
use tamis_archive::http::HttpHead;
use tamis_archive::{Mode, Reader};
use tamis_bench::measure::{Compare, Stopwatch};
use tamis_bench::touch::Touched;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(task), Some(path)) = (args.next(), args.next()) else {
        anyhow::bail!("usage: tamis-read TASK FILE");
    };
    let watch = Stopwatch::new();
    let mut touched = Touched::default();
    let mut http = HttpHead::default();
    let mut reader = Reader::open(&path, Mode::Lenient)?;
    while let Some(mut record) = reader.next()? {
        if record.head.holds_http() {
            record.body.read_http(&mut http)?;
        }
        touched.stream(&mut record.body)?;
    }
    watch.report("tamis", &task, &path, touched, Compare::Payloads)
}
