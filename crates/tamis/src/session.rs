//! What a command gets beside its arguments.

use tamis_archive::{Door, Opener};
use tamis_pack::open_bytes;

use crate::cli::{Cli, Command};
use crate::commands;
use crate::config::{self, Config, Environment, Flags};
use crate::printer::Printer;

/// What a command gets beside its arguments.
pub struct Session {
    /// Says things.
    pub printer: Printer,
    /// The settings.
    pub config: Config,
    /// What the command line says about settings.
    pub flags: Flags,
    /// Opens archives, and files that hold one in another format.
    pub door: Door,
}

impl Session {
    /// Reads the settings and sets up the printer.
    pub fn open(cli: &Cli, environment: Environment<'_>) -> anyhow::Result<Self> {
        let flags = cli.globals.flags();
        let config = if needs_config(cli) {
            Config::load(&flags, environment)?
        } else {
            Config::without_file(&flags, environment)?
        };
        let (color, progress) = (config.value(&config::COLOR), config.value(&config::PROGRESS));
        let printer = Printer::new(cli.globals.verbosity(), color, progress);
        Ok(Self { printer, config, flags, door: Door::new([open_bytes as Opener]) })
    }

    /// The session for a command that another command runs: the same settings, and `--quiet` if either has it.
    pub(crate) fn for_command(&self, cli: &Cli) -> Self {
        let verbosity = cli.globals.verbosity().min(self.printer.verbosity());
        let (color, progress) = (self.config.value(&config::COLOR), self.config.value(&config::PROGRESS));
        Self {
            printer: Printer::new(verbosity, color, progress),
            config: self.config.clone(),
            flags: self.flags.clone(),
            door: self.door.clone(),
        }
    }
}

/// A broken config file must not stop the commands that help to mend it.
fn needs_config(cli: &Cli) -> bool {
    match &cli.command {
        None | Some(Command::Man(_) | Command::Completions(_) | Command::Licenses(_)) => false,
        Some(Command::Config(args)) => !matches!(args.command, Some(commands::config::ConfigCommand::Path)),
        Some(
            Command::New(_)
            | Command::Crawl(_)
            | Command::Fetch(_)
            | Command::Focus(_)
            | Command::Import(_)
            | Command::Archives(_)
            | Command::Status(_)
            | Command::Warc(_)
            | Command::Clean(_)
            | Command::Lang(_)
            | Command::Dedup(_)
            | Command::Pack(_)
            | Command::Unpack(_)
            | Command::Query(_)
            | Command::Report(_)
            | Command::Serve(_)
            | Command::Build(_)
            | Command::Demo(_),
        ) => true,
    }
}
