//! 64 counters side by side, one for each bit of the hashes.
//!
//! Counters are kept as planes: plane `p` holds bit `p` of all 64. Sixteen hashes are first added up by carry-save adders
//! (five operations for each hash and all 64 counters), and only their sum ripples into the planes above (Harley and
//! Seal's way of counting bits, Warren, *Hacker's Delight*, 5-1).

/// How often each bit was 1.
#[derive(Clone, Debug)]
pub(super) struct Votes {
    planes: [u64; 64],
    voters: u64,
}

impl Votes {
    /// Hashes that are added at once.
    pub(super) const BLOCK: usize = 16;

    pub(super) fn is_empty(&self) -> bool {
        self.voters == 0
    }

    /// Adds hashes, of which the first `voters` count; the others are 0.
    #[inline]
    pub(super) fn add(&mut self, hashes: &[u64; Self::BLOCK], voters: usize) {
        self.voters += voters as u64;
        let mut sums = *hashes;
        let mut carry = 0;
        for plane in 0..4 {
            let pairs = Self::BLOCK >> (plane + 1);
            let mut sum = self.planes[plane];
            for pair in 0..pairs {
                (sum, carry) = add_bits(sum, sums[2 * pair], sums[2 * pair + 1]);
                sums[pair] = carry;
            }
            self.planes[plane] = sum;
        }
        self.ripple(carry);
    }

    fn ripple(&mut self, carry: u64) {
        let mut carry = carry;
        for plane in &mut self.planes[4..] {
            if carry == 0 {
                return;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    /// The bits that were 1 in more than half of the hashes.
    pub(super) fn majority(&self) -> u64 {
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
        Self { planes: [0; 64], voters: 0 }
    }
}

/// Sum and carry of three bits, 64 times.
#[inline]
fn add_bits(a: u64, b: u64, c: u64) -> (u64, u64) {
    let either = a ^ b;
    (either ^ c, (a & b) | (either & c))
}
