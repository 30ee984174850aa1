//! How a crawl is steered while it runs: commands, and settings that change.

use std::rc::Rc;

#[cfg(unix)]
use super::control::{Command, Socket};
use super::host_settings::SettingsFile;
use super::in_force::InForce;
use super::network::Network;
use crate::Result;
use crate::workbench::Politeness;

/// How often it is looked whether the file of settings has changed.
const LOOK_MS: u64 = 1_000;

impl Network {
    /// Begins to take commands, if the crawl does.
    #[cfg(unix)]
    pub(super) fn begin_control(self: &Rc<Self>) -> Result<()> {
        if let Some(collection) = &self.options.control {
            tokio::task::spawn_local(Socket::open(collection)?.serve(Rc::clone(self)));
        }
        Ok(())
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    pub(super) fn begin_control(self: &Rc<Self>) -> Result<()> {
        Ok(())
    }

    /// Does what a command says, or says why it cannot be done.
    #[cfg(unix)]
    pub(super) fn obey(&self, command: &Command) -> Result<(), String> {
        match command {
            Command::Pause => self.forced.borrow_mut().paused = true,
            Command::Resume => self.forced.borrow_mut().paused = false,
            Command::Stop => self.progress.stop_as_told(),
            Command::Show => {}
            Command::Set(change) => {
                let mut forced = self.forced.borrow_mut();
                forced.apply(change, &self.options.live)?;
                self.bench.borrow_mut().set_politeness(forced.host, forced.ip);
                if let Some(pages) = change.max_pages {
                    self.pages_left.set(pages);
                }
            }
        }
        self.progress.set_in_force(self.in_force());
        self.ended.notify_one();
        Ok(())
    }

    /// What is in force now.
    pub(super) fn in_force(&self) -> InForce {
        let settings = self.settings.borrow();
        let file = self.options.settings_file.as_ref();
        InForce {
            max_crawl_delay_ms: self.options.max_crawl_delay_ms,
            pages_left: Some(self.pages_left.get()).filter(|left| *left < u64::MAX),
            settings_file: file.map(|path| path.display().to_string()),
            settings_read_ms: settings.read_ms,
            settings_error: settings.error.clone(),
            ..self.forced.borrow().told(&self.options.live)
        }
    }

    /// Reads the settings per host again if their file has changed. What is wrong with it is told, and what was read before holds.
    pub(super) fn read_settings(&self, now_ms: u64) {
        let Some(path) = &self.options.settings_file else { return };
        let mut settings = self.settings.borrow_mut();
        if now_ms < settings.looked_ms + LOOK_MS {
            return;
        }
        settings.looked_ms = now_ms;
        let is_first = settings.file.is_none();
        let changed = settings.file.get_or_insert_with(|| SettingsFile::new(path)).changed();
        match changed {
            None => {}
            Some(Ok(read)) => {
                self.options.live.replace(read);
                (settings.read_ms, settings.error) = (now_ms, None);
                if !is_first {
                    self.progress.note(format!("{}: read again", path.display()));
                }
            }
            Some(Err(error)) => {
                let error = error.to_string();
                self.progress.note(format!("{}; the settings of before stay in force", error.trim_end()));
                settings.error = Some(error);
            }
        }
    }

    /// How long a host is left alone after a request, unless its settings say otherwise.
    pub(super) fn politeness(&self) -> Politeness {
        self.forced.borrow().host
    }
}
