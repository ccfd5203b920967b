//! What authorities are hashed to: from the memo, or split and hashed now and remembered.
//!
//! A new authority waits for the batch's SHA-256 like every other message; until then the memo says that it is pending,
//! so a run of one new host is split and hashed once.

use urlid_simd::{Kernels, Simd, Task};

use super::cut::Cut;
use super::memo::{LONGEST, Memo, MemoKey, Name, Slot, Value};
use super::messages::{Messages, Place};
use super::text::{ROOM_BEFORE, ROOM_BEHIND, Text};
use crate::error_code::{Coded, ErrorCode};
use crate::suffix::SuffixList;
use crate::sxurl::{PORT_PRESENT, PlainName, SUB_PRESENT, Site, Slice, flag};

/// The hashes and the port of an authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SiteHashes {
    /// The flags of subdomain and port, as they stand in a header.
    pub(super) flags: u16,
    pub(super) port: u16,
    pub(super) tld: u64,
    pub(super) domain: u64,
    pub(super) sub: u64,
}

impl SiteHashes {
    #[inline(always)]
    fn pack(self) -> Value {
        let flags = u64::from(self.flags & SUB_PRESENT) >> 1 | u64::from(self.flags & PORT_PRESENT) << 1;
        let rest = self.tld << 48 | (self.sub & 0xffff_ffff) << 16 | u64::from(self.port);
        [self.domain << 4 | flags | READY, rest]
    }

    #[inline(always)]
    fn unpack([first, rest]: Value) -> Self {
        SiteHashes {
            flags: (first << 1) as u16 & SUB_PRESENT | (first >> 1) as u16 & PORT_PRESENT,
            port: rest as u16,
            tld: rest >> 48,
            domain: first >> 4,
            sub: rest >> 16,
        }
    }
}

// The low two bits of a value's first word say what it is; two flags follow, then the hash of the domain.
const STATE: u64 = 3;
/// Packed [`SiteHashes`].
const READY: u64 = 1;
/// The second word is an index among the new sites of the running batch.
const PENDING: u64 = 2;
/// The plain path refuses the authority; the second word is an index in [`REFUSALS`].
const REFUSED: u64 = 3;

/// What is said of an authority that only the plain path can tell of; never remembered.
const UNKNOWN: Value = [0, 0];

/// The codes with which the plain path refuses authorities.
const REFUSALS: [ErrorCode; 3] = [ErrorCode::HostNotDns, ErrorCode::HostLen, ErrorCode::Port];

/// The sites of a batch, and the memo behind them.
#[derive(Debug)]
pub(super) struct Sites {
    list: SuffixList,
    memo: Memo,
    /// For each line, where the memo may know its authority.
    asked: Vec<(Name, Slot)>,
    /// For each line, the packed site; unspecified for lines without a site.
    found: Vec<Value>,
    new: Vec<NewSite>,
    /// Lines whose site is a new one: index of the line, index of the site.
    waiting: Vec<(u32, u32)>,
    /// A host with room around it; a scratch of `add`.
    host: Vec<u8>,
}

/// A site whose messages are among those of the batch.
#[derive(Debug)]
struct NewSite {
    slot: Slot,
    flags: u16,
    port: u16,
    tld: Result<u64, Place>,
    domain: Place,
    sub: Place,
}

/// Why a line gets no site here.
pub(super) enum NoSite {
    /// Only the plain path can tell.
    Unknown,
    /// The plain path refuses the authority with this code.
    Refused(ErrorCode),
}

impl Sites {
    pub(super) fn new(list: SuffixList, key: MemoKey) -> Self {
        Sites {
            list,
            memo: Memo::new(key),
            asked: Vec::new(),
            found: Vec::new(),
            new: Vec::new(),
            waiting: Vec::new(),
            host: Vec::new(),
        }
    }

    pub(super) fn list(&self) -> &SuffixList {
        &self.list
    }

    /// Asks where the memo may know each authority, and lets the machine bring it near.
    pub(super) fn ask(&mut self, text: Text<'_>, cuts: &[Cut], kernels: Kernels) {
        self.asked.clear();
        kernels.run(AskMemo { memo: &self.memo, text, cuts, asked: &mut self.asked });
    }

    /// Finds the site of each line that has a scheme, and tells of those without one by ascending index. The lines must be
    /// those of the last [`Sites::ask`].
    pub(super) fn find(
        &mut self,
        text: Text<'_>,
        cuts: &[Cut],
        messages: &mut Messages<u64>,
        kernels: Kernels,
        without: impl FnMut(u32, NoSite),
    ) {
        self.found.clear();
        self.new.clear();
        self.waiting.clear();
        kernels.run(FindSites { sites: self, text, cuts, messages, kernels, without });
    }

    /// Splits a new authority that is a plain name, adds its messages, and remembers that it is pending.
    #[inline(never)]
    fn add_plain(
        &mut self,
        name: PlainName<'_>,
        (text, start): (Text<'_>, u32),
        (key, slot): (&Name, Slot),
        messages: &mut Messages<u64>,
        kernels: Kernels,
    ) -> Value {
        let site = Site::of_plain_name(name, &self.list);
        self.new.push(NewSite::of(&site, (text.bytes(), start), slot, messages, kernels));
        self.remember_pending(key, slot)
    }

    /// Splits any other new authority, adds its messages, and remembers that it is pending, or refused.
    #[inline(never)]
    fn add(
        &mut self,
        bytes: &[u8],
        (key, slot): (&Name, Slot),
        messages: &mut Messages<u64>,
        kernels: Kernels,
    ) -> Value {
        let Ok(text) = str::from_utf8(bytes) else { return UNKNOWN };
        match Site::of(text, &self.list) {
            Ok(site) => {
                self.host.clear();
                self.host.extend_from_slice(&[0; ROOM_BEFORE]);
                self.host.extend_from_slice(site.host().as_bytes());
                self.host.extend_from_slice(&[0; ROOM_BEHIND]);
                self.new.push(NewSite::of(&site, (&self.host, ROOM_BEFORE as u32), slot, messages, kernels));
                self.remember_pending(key, slot)
            }
            Err(error) => match REFUSALS.iter().position(|&code| code == error.code()) {
                Some(index) => {
                    let value = [REFUSED, index as u64];
                    self.memo.set(slot, key, value);
                    value
                }
                None => UNKNOWN,
            },
        }
    }

    fn remember_pending(&mut self, key: &Name, slot: Slot) -> Value {
        let value = [PENDING, self.new.len() as u64 - 1];
        self.memo.set(slot, key, value);
        value
    }

    /// Takes the hashes of the new sites, for this batch and for the memo.
    pub(super) fn remember(&mut self, messages: &Messages<u64>) {
        for &(line, new) in &self.waiting {
            self.found[line as usize] = self.new[new as usize].hashes(messages).pack();
        }
        for (index, new) in self.new.iter().enumerate() {
            self.memo.replace(new.slot, [PENDING, index as u64], new.hashes(messages).pack());
        }
    }

    /// Returns the site of a line, after [`Sites::remember`]; unspecified for a line without one.
    #[inline(always)]
    pub(super) fn of_line(&self, index: usize) -> SiteHashes {
        SiteHashes::unpack(self.found[index])
    }
}

/// Asks where the memo may know each authority.
///
/// A task without windows: it is compiled with the path's instructions, as the next one is.
struct AskMemo<'t> {
    memo: &'t Memo,
    text: Text<'t>,
    cuts: &'t [Cut],
    asked: &'t mut Vec<(Name, Slot)>,
}

impl Task for AskMemo<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for cut in self.cuts {
            let len = cut.authority_len().clamp(1, LONGEST);
            let name = Name::of(self.text.window(cut.authority), len);
            self.asked.push((name, self.memo.slot(&name)));
        }
    }
}

/// Takes the site of each line from where the memo may know it, or makes a new one.
struct FindSites<'t, F> {
    sites: &'t mut Sites,
    text: Text<'t>,
    cuts: &'t [Cut],
    messages: &'t mut Messages<u64>,
    kernels: Kernels,
    without: F,
}

impl<F: FnMut(u32, NoSite)> Task for FindSites<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let sites = self.sites;
        for (index, cut) in self.cuts.iter().enumerate() {
            let (name, slot) = sites.asked[index];
            let is_fast = cut.scheme.is_some() && (1..=LONGEST).contains(&cut.authority_len());
            let value = match sites.memo.get(slot, &name) {
                Some(value) if is_fast => value,
                None if is_fast => {
                    let bytes = &self.text.bytes()[cut.authority as usize..cut.authority_end as usize];
                    let window = self.text.window(cut.authority);
                    let plain = PlainName::of_window(simd, window, bytes.len());
                    let place = (&name, slot);
                    match plain {
                        Some(plain) => sites.add_plain(
                            plain,
                            (self.text, cut.authority),
                            place,
                            self.messages,
                            self.kernels,
                        ),
                        None => sites.add(bytes, place, self.messages, self.kernels),
                    }
                }
                _ => UNKNOWN,
            };
            sites.found.push(value);
            let index = index as u32;
            match value[0] & STATE {
                READY => {}
                PENDING => sites.waiting.push((index, value[1] as u32)),
                REFUSED => {
                    (self.without)(index, NoSite::Refused(REFUSALS[value[1] as usize % REFUSALS.len()]))
                }
                _ => (self.without)(index, NoSite::Unknown),
            }
        }
    }
}

impl NewSite {
    /// Adds the messages of a site whose host stands in `text` at `start`, with room around it.
    #[inline(always)]
    fn of(
        site: &Site<'_>,
        (text, start): (&[u8], u32),
        slot: Slot,
        messages: &mut Messages<u64>,
        kernels: Kernels,
    ) -> NewSite {
        let (host, tld, domain, sub) =
            (site.host().len(), site.tld().len(), site.domain().len(), site.sub().len());
        let mut push = |slice: Slice, offset: usize, len: usize| match len {
            0 => Place::of_empty(slice),
            _ => {
                let from = start + offset as u32;
                messages.push(slice.message_label(), text, from..from + len as u32, kernels)
            }
        };
        NewSite {
            slot,
            flags: flag(SUB_PRESENT, sub > 0) | flag(PORT_PRESENT, site.port().is_some()),
            port: site.port().unwrap_or(0),
            tld: site.tld_hash().ok_or_else(|| push(Slice::Tld, host - tld, tld)),
            domain: push(Slice::Domain, (host - tld).saturating_sub(domain + 1), domain),
            sub: push(Slice::Sub, 0, sub),
        }
    }

    #[inline]
    fn hashes(&self, messages: &Messages<u64>) -> SiteHashes {
        SiteHashes {
            flags: self.flags,
            port: self.port,
            tld: self.tld.unwrap_or_else(|place| messages.at(place)),
            domain: messages.at(self.domain),
            sub: messages.at(self.sub),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Encoder;
    use crate::sxurl::Sxurl;

    #[test]
    fn hashes_survive_packing_at_their_widths() {
        for (flags, port) in
            [(0, 0), (SUB_PRESENT, 80), (PORT_PRESENT, 0xffff), (SUB_PRESENT | PORT_PRESENT, 1)]
        {
            let site = SiteHashes { flags, port, tld: u64::MAX, domain: u64::MAX, sub: u64::MAX };
            assert_eq!(site.pack()[0] & STATE, READY);
            let back = SiteHashes::unpack(site.pack());
            assert_eq!((back.flags, back.port, back.tld), (flags, port, 0xffff));
            assert_eq!((back.domain, back.sub & 0xffff_ffff), (u64::MAX >> 4, 0xffff_ffff));
        }
    }

    /// Who knows the key can make hosts that all go to one slot: each pays for a new host, and nothing else comes of it.
    #[test]
    fn hosts_that_share_a_slot_push_each_other_out_and_no_more() {
        let key = MemoKey([1, 2]);
        let memo = Memo::new(key);
        let slot = |host: &str| {
            let mut window = [0; 64];
            window[..host.len()].copy_from_slice(host.as_bytes());
            memo.slot(&Name::of(&window, host.len()))
        };
        let aim = slot("aim.example");
        let hosts =
            (0..).map(|number| format!("h{number}.example")).filter(|host| slot(host) == aim).take(40);
        let urls: Vec<String> = hosts.map(|host| format!("https://{host}/")).collect();
        let mut encoder = Encoder::<Sxurl>::new(<&SuffixList>::default(), key, Kernels::detect());
        for _ in 0..3 {
            let mut ids = Vec::new();
            encoder.encode_all(urls.iter().map(String::as_str), |batch| ids.extend_from_slice(batch.ids()));
            let plain = urls.iter().map(|url| Sxurl::encode(url).expect("an http URL").to_bytes());
            assert!(ids.into_iter().eq(plain));
        }
    }

    #[test]
    fn every_refusal_of_an_authority_has_a_code_here() {
        for text in
            ["1.2.3.4", "a..b", "a:0", "[::1]", "a:1:2", "xn--a", &"x".repeat(64), "a b", "a:x", "%ff"]
        {
            let error = Site::of(text, <&SuffixList>::default()).expect_err("no authority of a SXURL");
            assert!(REFUSALS.contains(&error.code()), "{text}: {}", error.code());
        }
    }
}
