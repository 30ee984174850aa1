//! 64 counters side by side, one for each bit of the hashes.
//!
//! Counters are kept as planes: plane `p` holds bit `p` of all 64. Sixteen hashes are added up by carry-save adders, five
//! operations for each hash and all 64 counters (Harley and Seal's way of counting bits, Warren, *Hacker's Delight*, 5-1).
//! Sixteen of their carries are added up in the same way, so that only one in 256 hashes has to ripple through the planes
//! above, which ends nobody knows where and costs a mispredicted branch.

/// How often each bit was 1.
#[derive(Clone, Debug)]
pub(super) struct Votes {
    planes: [u64; 64],
    /// Carries into the fifth plane that are not added yet.
    carries: [u64; Self::BLOCK],
    waiting: usize,
    voters: u64,
}

impl Votes {
    /// Hashes that are added at once.
    pub(super) const BLOCK: usize = 16;
    /// Planes that a block adds to before it carries.
    const LEVELS: usize = 4;

    pub(super) fn is_empty(&self) -> bool {
        self.voters == 0
    }

    /// Adds hashes, of which the first `voters` count; the others are 0.
    #[inline]
    pub(super) fn add(&mut self, hashes: &[u64; Self::BLOCK], voters: usize) {
        self.voters += voters as u64;
        let carry = add_block(hashes, &mut self.planes[..Self::LEVELS]);
        self.carries[self.waiting] = carry;
        self.waiting += 1;
        if self.waiting == Self::BLOCK {
            self.add_carries();
        }
    }

    fn add_carries(&mut self) {
        let (planes, above) = self.planes[Self::LEVELS..].split_at_mut(Self::LEVELS);
        let mut carry = add_block(&self.carries, planes);
        for plane in above {
            if carry == 0 {
                break;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        self.carries = [0; Self::BLOCK];
        self.waiting = 0;
    }

    /// The bits that were 1 in more than half of the hashes.
    pub(super) fn majority(mut self) -> u64 {
        self.add_carries();
        let used = 64 - self.voters.leading_zeros() as usize;
        let counted = |bit: usize| {
            let bits = self.planes[..used].iter().enumerate();
            bits.map(|(plane, bits)| (bits >> bit & 1) << plane).sum::<u64>()
        };
        (0..64).fold(0, |found, bit| found | u64::from(counted(bit) > self.voters / 2) << bit)
    }
}

impl Default for Votes {
    fn default() -> Self {
        Self { planes: [0; 64], carries: [0; Self::BLOCK], waiting: 0, voters: 0 }
    }
}

/// Adds a block to the lowest planes; what is carried into the next is given back.
#[inline]
fn add_block(block: &[u64; Votes::BLOCK], planes: &mut [u64]) -> u64 {
    let mut terms = *block;
    let mut pairs = Votes::BLOCK / 2;
    for plane in planes {
        for pair in 0..pairs {
            (*plane, terms[pair]) = add_bits(*plane, terms[2 * pair], terms[2 * pair + 1]);
        }
        pairs /= 2;
    }
    terms[0]
}

/// Sum and carry of three bits, 64 times.
#[inline]
fn add_bits(a: u64, b: u64, c: u64) -> (u64, u64) {
    let either = a ^ b;
    (either ^ c, (a & b) | (either & c))
}
