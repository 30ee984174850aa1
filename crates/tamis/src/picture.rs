//! Charts as files: `.svg` or `.png`, by the name.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::hint::WithHint;
use crate::output::{self, Output};
use tamis_plot::png;

/// Pixels for each unit of a chart: sharp in print.
const SCALE: f32 = 2.0;

/// Refuses names that say nothing of how to draw, and files that must not be replaced, before any work is done.
pub fn check(paths: &[PathBuf], force: bool) -> anyhow::Result<()> {
    for path in paths {
        Form::of(path)?;
        output::place(path, force)?;
    }
    Ok(())
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
            _ => Err(anyhow!("{}: not an .svg or .png file", path.display()))
                .hint("write to a file such as chart.svg"),
        }
    }
}
