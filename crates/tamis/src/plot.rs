//! interim
use std::path::{Path, PathBuf};
pub const USUAL_WIDTH: usize = 80;
pub fn terminal_width() -> usize { USUAL_WIDTH }
pub struct Bar { pub label: String, pub value: f64, pub note: Option<String> }
pub struct Bars { pub title: String, pub bars: Vec<Bar> }
pub struct Series { pub name: String, pub points: Vec<(f64, f64)>, pub is_ideal: bool }
pub struct Lines { pub title: String, pub x_label: String, pub y_label: String, pub series: Vec<Series> }
impl Bars { pub fn for_terminal(&self, _width: usize) -> String { self.bars.iter().map(|bar| format!("  {:<12} {:>10} {}\n", bar.label, bar.value, bar.note.clone().unwrap_or_default())).collect() } }
pub trait Chart { fn svg(&self) -> String; }
impl Chart for Bars { fn svg(&self) -> String { self.title.clone() } }
impl Chart for Lines { fn svg(&self) -> String { self.title.clone() + &self.x_label + &self.y_label + &self.series.iter().map(|s| format!("{} {:?} {}", s.name, s.points, s.is_ideal)).collect::<String>() } }
pub fn check_names(_: &[PathBuf]) -> anyhow::Result<()> { Ok(()) }
pub fn write(path: &Path, _force: bool, chart: &dyn Chart) -> anyhow::Result<()> { Ok(std::fs::write(path, chart.svg())?) }
