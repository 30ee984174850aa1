//! Holds our HTML tree against html5ever's on all pages of a folder, and shows where each page differs first.
//!
//!     cargo run -p tamis-page --example html_oracle -- target/data/html

use std::fs;
use std::path::Path;

#[path = "../tests/it/agreement.rs"]
mod agreement;
#[path = "../tests/it/page_files.rs"]
mod page_files;
#[path = "../tests/it/reading.rs"]
mod reading;

use agreement::Agreement;
use reading::Reading;

fn main() {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: html_oracle FOLDER");
        return;
    };
    let mut all = Agreement::default();
    for path in page_files::below(Path::new(&folder)) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let page = String::from_utf8_lossy(&bytes);
        let (ours, oracle) = (reading::ours(&page), reading::html5ever(&page));
        let one = Agreement::of(&ours, &oracle);
        if !one.is_full() {
            show(&path, one, &ours, &oracle);
        }
        all += one;
    }
    println!("{all:#?}");
}

fn show(path: &Path, one: Agreement, ours: &Reading, oracle: &Reading) {
    println!("{}", path.display());
    println!(
        "    words {}/{}, elements {}/{}, links {}/{}",
        one.words_found, one.words, one.elements_found, one.elements, one.links_found, one.links
    );
    first_difference("words", &ours.words, &oracle.words);
    first_difference("elements", &ours.elements, &oracle.elements);
    first_difference("links", &ours.links, &oracle.links);
}

fn first_difference<T: PartialEq + std::fmt::Debug>(what: &str, ours: &[T], oracle: &[T]) {
    if ours == oracle {
        return;
    }
    let at = ours.iter().zip(oracle).take_while(|(ours, oracle)| ours == oracle).count();
    let around = |list: &[T]| format!("{:?}", &list[at.saturating_sub(1)..list.len().min(at + 2)]);
    println!("    {what} ours   {:.600}", around(ours));
    println!("    {what} oracle {:.600}", around(oracle));
}
