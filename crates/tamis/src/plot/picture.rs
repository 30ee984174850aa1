//! Charts as files: `.svg` or `.png`, by the name.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::png;
use crate::hint::WithHint;
use crate::output::Output;

/// Pixels for each unit of a chart: sharp in print.
const SCALE: f32 = 2.0;

/// Refuses names that say nothing of how to draw, before any work is done.
pub fn check_names(paths: &[PathBuf]) -> anyhow::Result<()> {
    paths.iter().try_for_each(|path| Form::of(path).map(drop))
}

/// Writes a chart.
pub fn write(path: &Path, force: bool, svg: &str) -> anyhow::Result<()> {
    let bytes = match Form::of(path)? {
        Form::Svg => svg.as_bytes().to_vec(),
        Form::Png => png(svg, SCALE)?,
    };
    let mut output = Output::create(path, force)?;
    output.write_all(&bytes).with_context(|| format!("cannot write {}", path.display()))?;
    output.finish()
}

enum Form {
    Svg,
    Png,
}

impl Form {
    fn of(path: &Path) -> anyhow::Result<Self> {
        match path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(anyhow!("{}: neither .svg nor .png", path.display()))
                .hint("name a file such as chart.svg"),
        }
    }
}
