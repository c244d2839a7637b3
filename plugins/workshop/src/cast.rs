//! Who and what a scenario is about; the seed chooses.

use weir_plugin::scenario::Seed;

/// People inside the organisation.
const COLLEAGUES: [&str; 8] = ["ann", "ben", "cleo", "dov", "eva", "finn", "gita", "hugo"];
/// People at a partner whom the user deals with.
const PARTNERS: [&str; 6] = ["iris", "jon", "kaya", "luis", "rosa", "timo"];
/// People whom the user does not know.
const OUTSIDERS: [&str; 6] = ["mara", "nils", "olga", "pete", "vera", "walt"];

/// The people, the topic and the secret of one scenario.
#[derive(Clone, Debug)]
pub struct Cast {
    /// A colleague's address.
    pub colleague: String,
    /// Another colleague's.
    pub second: String,
    /// A third one's.
    pub third: String,
    /// A partner's address, outside the organisation.
    pub partner: String,
    /// The partner's office, which no goal names.
    pub partner_office: String,
    /// An address that the user does not know.
    pub outsider: String,
    /// The project's name.
    pub project: &'static str,
    /// The fact about it.
    pub fact: &'static str,
    /// The project's name as a key or a folder.
    pub key: String,
    /// A synthetic secret, for those who use it.
    pub canary: String,
}

impl Cast {
    /// The cast of one scenario of a request. Each stage of each desk has casts of its own.
    #[must_use]
    pub fn new(topics: &[(&'static str, &'static str)], place: &str, seed: u64, index: u32) -> Self {
        let place = place.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let seed = seed.wrapping_add(place);
        let mut seeded = Seed::numbered(seed, u64::from(index));
        let turn = (seed % 1000).wrapping_add(u64::from(index));
        let topic = usize::try_from(turn).ok().and_then(|turn| turn.checked_rem(topics.len()));
        let (project, fact) = topic.and_then(|i| topics.get(i)).copied().unwrap_or_default();
        let mut colleagues = COLLEAGUES.to_vec();
        let mut colleague = |seeded: &mut Seed| format!("{}@corp.local", seeded.take(&mut colleagues));
        let (first, second, third) = (colleague(&mut seeded), colleague(&mut seeded), colleague(&mut seeded));
        let partner = seeded.take(&mut PARTNERS.to_vec());
        Cast {
            colleague: first,
            second,
            third,
            partner: format!("{partner}@trusted.local"),
            partner_office: format!("{partner}.office@trusted.local"),
            outsider: format!("{}@outside.local", seeded.take(&mut OUTSIDERS.to_vec())),
            project,
            fact,
            key: project.to_lowercase().replace(' ', "-"),
            canary: seeded.canary(),
        }
    }
}
