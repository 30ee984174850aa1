//! How a pack is made.

use std::num::NonZero;

use super::cost::{BlockLimit, Cost};
use super::inner::Worth;

/// What a pack is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// Packed soon: zstd at a low level, blocks of 1 MiB.
    Fast,
    /// Small, and any page at hand within milliseconds: zstd at a high level, blocks of up to 6 MiB that unpack in about 2 ms, of which a page needs what is before it.
    #[default]
    Default,
    /// As small as can be: LZMA2 over blocks of up to 128 MiB, streams inside records opened. A page costs a second or more.
    Archive,
    /// Each record alone with the dictionary: a page costs the least, and the pack is larger.
    Record,
}

/// How records are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Zstd(i32),
    Lzma2,
}

/// How to pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackOptions {
    /// What the pack is for.
    pub profile: Profile,
    /// How many threads compress.
    pub jobs: NonZero<usize>,
    /// The most content that is held in memory at once: a segment, which has a dictionary of its own. At least 1 MiB.
    pub segment_bytes: u64,
    /// How much of a segment its dictionary is; none for what was measured to be good.
    pub dictionary_bytes: Option<usize>,
    /// The size of a block; none for the profile's. `default` has none: its blocks are as long as they are fast to unpack.
    pub block_bytes: Option<usize>,
    /// Whether the whole file is made again from the pack and compared before the pack gets its name. Each member is
    /// compared in any case when it is taken apart, and each block when it is compressed.
    pub verify: bool,
    /// Whether a file that has the name of the pack when it is whole is replaced. If not, that is an error.
    pub replace: bool,
}

impl PackOptions {
    /// What is good for a profile.
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            jobs: NonZero::<usize>::MIN,
            segment_bytes: 256 << 20,
            dictionary_bytes: None,
            block_bytes: None,
            verify: true,
            replace: true,
        }
    }

    pub(super) fn block_bytes(&self) -> usize {
        let usual = match self.profile {
            Profile::Fast => 1 << 20,
            // What its dictionary is chosen for; blocks are cut by what they cost.
            Profile::Default => 4 << 20,
            Profile::Archive => MAX_BLOCK,
            // No more than one record goes in; a larger one is cut.
            Profile::Record => 8 << 20,
        };
        self.block_bytes.unwrap_or(usual).clamp(1 << 10, MAX_BLOCK)
    }

    /// What a block may cost to unpack; none if it may be as long as [`PackOptions::block_bytes`], whatever it costs.
    pub(super) fn block_limit(&self) -> Option<BlockLimit> {
        let is_usual = self.profile == Profile::Default && self.block_bytes.is_none();
        // Some blocks take 1.4 times as long, machines with other work more, and finding and copying a page comes on top: 3 ms at most are promised.
        let (cost, most_cost) = (Cost::microseconds(1_500), Cost::microseconds(1_670));
        is_usual.then_some(BlockLimit { cost, most_cost, len: 6 << 20 })
    }

    pub(super) fn method(&self) -> Method {
        match self.profile {
            Profile::Fast => Method::Zstd(5),
            // The tables of 19 are too small for a dictionary of 8 MiB and a block: 0.2 % larger in the same time.
            Profile::Default => Method::Zstd(21),
            Profile::Record => Method::Zstd(19),
            Profile::Archive => Method::Lzma2,
        }
    }

    /// What streams inside records must be worth to be opened; none if they are not.
    pub(super) fn worth(&self) -> Option<Worth> {
        match self.profile {
            // To deflate again takes longer than all else at reading.
            Profile::Fast | Profile::Default | Profile::Record => None,
            // LZMA2 makes more of what was opened than the guess says, and reading is slow in any case.
            Profile::Archive => Some(Worth { percent: 0, plain_for_one: usize::MAX, plain_limit: 64 << 20 }),
        }
    }

    /// The size of the dictionary of a segment.
    pub(super) fn dictionary_bytes(&self, segment: usize) -> usize {
        const MOST: usize = 8 << 20;
        match self.profile {
            Profile::Archive => 0,
            _ => self.dictionary_bytes.unwrap_or((segment / 4).min(MOST)).min(4 * MOST),
        }
    }
}

/// The largest block: what a reader must be ready to hold.
pub(super) const MAX_BLOCK: usize = 128 << 20;

impl Profile {
    const ALL: [Self; 4] = [Self::Fast, Self::Default, Self::Archive, Self::Record];

    /// `fast`, `default`, `archive` or `record`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Default => "default",
            Self::Archive => "archive",
            Self::Record => "record",
        }
    }

    /// The profile of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    pub(super) fn to_code(self) -> u64 {
        self as u64
    }

    pub(super) fn from_code(code: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(code).ok()?).copied()
    }
}
