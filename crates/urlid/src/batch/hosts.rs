//! The hashes of authorities, which are read from the host cache, or computed and then cached.
//!
//! A new authority waits for the batch's SHA-256 like every other message. In the meantime the cache marks it
//! as pending, so several lines with the same new host are split and hashed once.

use urlid_simd::{Kernels, Simd, Task};

use super::encoder::BATCH;
use super::host_cache::{CachedAuthority, CachedHost, HostCache, HostCacheKey, LONGEST, Slot};
use super::host_cache::{ERROR, HostFields, PENDING, READY};
use super::message_blocks::{HashIndex, MessageBlocks};
use super::text::{PADDING_BEFORE, PADDING_BEHIND, Text};
use crate::error::ErrorCode;
use crate::plain::Boundaries;
use crate::suffix::SuffixList;
use crate::sxurl::{Flags, HostAndPort, PlainName, Slice, pack_left};

/// The value of an authority that only the slow path can encode. It is never cached.
const UNRECOGNISED: CachedHost = CachedHost(0);

/// The codes of the errors that an authority can have.
const ERRORS: [ErrorCode; 3] = [ErrorCode::HostNotDns, ErrorCode::HostLen, ErrorCode::Port];

/// The hosts of a batch, and the cache of previous hosts.
#[derive(Debug)]
pub(super) struct Hosts {
    list: SuffixList,
    cache: HostCache,
    /// For each line, its authority and the slot in which it may be cached.
    lookups: Vec<(CachedAuthority, Slot)>,
    /// For each line, its value. Unspecified for lines without a value.
    values: Vec<CachedHost>,
    new_hosts: Vec<NewHost>,
    /// Scratch of `look_up`: the lines whose hashes are not in the cache. Only the first part is in use.
    misses: Vec<u32>,
    /// The lines of new hosts, as pairs of line index and host index.
    pending_lines: Vec<(u32, u32)>,
    /// Scratch of `add_other`: a host with padding around it.
    padded_host: Vec<u8>,
}

/// A host with messages in the batch.
#[derive(Debug)]
struct NewHost {
    slot: Slot,
    flags: Flags,
    port: u16,
    tld: Result<u64, HashIndex>,
    domain: HashIndex,
    sub: HashIndex,
}

/// The reason why a line has no hashes here.
pub(super) enum NoHashes {
    /// Only the slow path can encode the line.
    Unrecognised,
    /// The authority is an error with this code.
    Error(ErrorCode),
}

impl Hosts {
    pub(super) fn new(list: SuffixList, key: HostCacheKey) -> Self {
        Hosts {
            list,
            cache: HostCache::new(key),
            lookups: Vec::new(),
            values: Vec::new(),
            new_hosts: Vec::new(),
            misses: vec![0; BATCH + 1],
            pending_lines: Vec::new(),
            padded_host: Vec::new(),
        }
    }

    pub(super) fn list(&self) -> &SuffixList {
        &self.list
    }

    /// Finds the slot of each authority, and prefetches its entry.
    #[inline]
    pub(super) fn prefetch(&mut self, text: Text<'_>, boundaries: &[Boundaries], kernels: Kernels) {
        self.lookups.resize(boundaries.len(), Default::default());
        kernels.run(Prefetch { cache: &self.cache, text, boundaries, lookups: &mut self.lookups });
    }

    /// Looks up the hashes of each line, or adds the messages of a new host. Calls `on_none` for lines
    /// without hashes, by ascending index. The lines must be the same as in the last [`Hosts::prefetch`].
    #[inline]
    pub(super) fn look_up(
        &mut self,
        text: Text<'_>,
        boundaries: &[Boundaries],
        messages: &mut MessageBlocks<u64>,
        kernels: Kernels,
        on_none: impl FnMut(u32, NoHashes),
    ) {
        self.values.resize(boundaries.len(), UNRECOGNISED);
        self.new_hosts.clear();
        self.pending_lines.clear();
        kernels.run(LookUp { hosts: self, text, boundaries, messages, kernels, on_none });
    }

    /// Splits a new authority that is a plain name, adds its messages, and caches it as pending.
    #[inline(never)]
    fn add_plain_name(
        &mut self,
        name: PlainName<'_>,
        (text, start): (Text<'_>, u32),
        (authority, slot): (&CachedAuthority, Slot),
        messages: &mut MessageBlocks<u64>,
        kernels: Kernels,
    ) -> CachedHost {
        let host = HostAndPort::of_plain_name(name, &self.list);
        self.new_hosts.push(NewHost::of(&host, (text.bytes(), start), slot, messages, kernels));
        self.cache_pending(authority, slot)
    }

    /// Splits any other new authority, adds its messages, and caches it as pending or as an error.
    #[inline(never)]
    fn add_other(
        &mut self,
        bytes: &[u8],
        (authority, slot): (&CachedAuthority, Slot),
        messages: &mut MessageBlocks<u64>,
        kernels: Kernels,
    ) -> CachedHost {
        // This cannot fail: the boundaries of a line have a scheme only if the line is UTF-8, and only lines
        // with a scheme reach this function.
        let Ok(text) = str::from_utf8(bytes) else { return UNRECOGNISED };
        match HostAndPort::parse(text, &self.list) {
            Ok(host) => {
                self.padded_host.clear();
                self.padded_host.extend_from_slice(&[0; PADDING_BEFORE]);
                self.padded_host.extend_from_slice(host.host().as_bytes());
                self.padded_host.extend_from_slice(&[0; PADDING_BEHIND]);
                let text = (&self.padded_host[..], PADDING_BEFORE as u32);
                self.new_hosts.push(NewHost::of(&host, text, slot, messages, kernels));
                self.cache_pending(authority, slot)
            }
            Err(error) => match ERRORS.iter().position(|&code| code == error.code()) {
                Some(index) => {
                    let value = CachedHost::of_index(ERROR, index);
                    self.cache.insert(slot, authority, value);
                    value
                }
                None => UNRECOGNISED,
            },
        }
    }

    fn cache_pending(&mut self, authority: &CachedAuthority, slot: Slot) -> CachedHost {
        let value = CachedHost::of_index(PENDING, self.new_hosts.len() - 1);
        self.cache.insert(slot, authority, value);
        value
    }

    /// Stores the hashes of the new hosts in the values of this batch and in the cache.
    #[inline]
    pub(super) fn take_new_hashes(&mut self, messages: &MessageBlocks<u64>) {
        for &(line, host) in &self.pending_lines {
            self.values[line as usize] = self.new_hosts[host as usize].fields(messages).pack();
        }
        // A later host of this batch may have replaced this host in its slot. The slot then has a different
        // pending value, which stays until the loop reaches the later host. After the loop, no value in the
        // cache is pending. This is necessary because in the next batch, the index of a pending value would
        // refer to a different host.
        for (index, host) in self.new_hosts.iter().enumerate() {
            self.cache.replace(host.slot, CachedHost::of_index(PENDING, index), host.fields(messages).pack());
        }
    }

    /// Returns the fields of each line, after [`Hosts::take_new_hashes`]. They are unspecified for a line
    /// without a value.
    #[inline(always)]
    pub(super) fn of_lines(&self) -> impl Iterator<Item = HostFields> {
        self.values.iter().map(|&value| HostFields::unpack(value))
    }
}

/// Finds the slot of each authority.
///
/// The task does not use windows, but is compiled with the path's instructions, like [`LookUp`].
struct Prefetch<'t> {
    cache: &'t HostCache,
    text: Text<'t>,
    boundaries: &'t [Boundaries],
    lookups: &'t mut [(CachedAuthority, Slot)],
}

impl Task for Prefetch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&mut self, _: S) {
        for (line, lookup) in self.boundaries.iter().zip(&mut *self.lookups) {
            // An authority that cannot be cached also gets a slot, so that all lines go through the same
            // steps. `can_be_cached` later discards the found entry.
            let len = line.authority().len().clamp(1, LONGEST);
            let authority = CachedAuthority::new(self.text.window(line.authority), len);
            *lookup = (authority, self.cache.slot(&authority));
        }
    }
}

/// Reads the hashes of each line from the cache, or adds a new host.
struct LookUp<'t, F> {
    hosts: &'t mut Hosts,
    text: Text<'t>,
    boundaries: &'t [Boundaries],
    messages: &'t mut MessageBlocks<u64>,
    kernels: Kernels,
    on_none: F,
}

impl<F: FnMut(u32, NoHashes)> Task for LookUp<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        // A cache miss is hard to predict, so the first pass only collects the misses. It writes the index of
        // every line, and increments the count only for a miss, so it does not branch on misses.
        let mut misses = 0;
        let Hosts { cache, lookups, values, misses: indexes, .. } = &mut *self.hosts;
        let lines = self.boundaries.iter().zip(lookups).zip(values);
        for (index, ((line, (authority, slot)), line_value)) in lines.enumerate() {
            let value = match cache.get(*slot, authority) {
                Some(value) if can_be_cached(line) => value,
                _ => UNRECOGNISED,
            };
            *line_value = value;
            indexes[misses] = index as u32;
            misses += usize::from(value.state() != READY);
        }
        for miss in 0..misses {
            let index = self.hosts.misses[miss];
            let value = self.value_of_miss(simd, index as usize);
            self.hosts.values[index as usize] = value;
            match value.state() {
                READY => {}
                PENDING => self.hosts.pending_lines.push((index, value.index() as u32)),
                // The index is always in range, but the remainder avoids a bounds check that could panic.
                ERROR => (self.on_none)(index, NoHashes::Error(ERRORS[value.index() % ERRORS.len()])),
                _ => (self.on_none)(index, NoHashes::Unrecognised),
            }
        }
    }
}

impl<F> LookUp<'_, F> {
    /// Returns the value of a line whose host was not in the cache. A previous line may have cached it in the
    /// meantime.
    #[inline(always)]
    fn value_of_miss<S: Simd>(&mut self, simd: S, index: usize) -> CachedHost {
        let line = &self.boundaries[index];
        let (authority, slot) = self.hosts.lookups[index];
        if !can_be_cached(line) {
            return UNRECOGNISED;
        }
        if let Some(value) = self.hosts.cache.get(slot, &authority) {
            return value;
        }
        let (range, entry) = (line.authority(), (&authority, slot));
        match PlainName::of_window(simd, self.text.window(line.authority), range.len()) {
            Some(name) => {
                let text = (self.text, line.authority);
                self.hosts.add_plain_name(name, text, entry, self.messages, self.kernels)
            }
            None => self.hosts.add_other(&self.text.bytes()[range], entry, self.messages, self.kernels),
        }
    }
}

/// Returns whether the cache can hold the authority of a line.
#[inline(always)]
fn can_be_cached(line: &Boundaries) -> bool {
    line.scheme.is_some() & (1..=LONGEST).contains(&line.authority().len())
}

impl NewHost {
    /// Adds the messages of a host that starts at `start` in `text` and has padding around it.
    #[inline(always)]
    fn of(
        host: &HostAndPort<'_>,
        (text, start): (&[u8], u32),
        slot: Slot,
        messages: &mut MessageBlocks<u64>,
        kernels: Kernels,
    ) -> NewHost {
        let (len, tld, domain, sub) =
            (host.host().len(), host.tld().len(), host.domain().len(), host.sub().len());
        let mut push = |slice: Slice, offset: usize, len: usize| match len {
            0 => HashIndex::of_empty(slice),
            _ => {
                let from = start + offset as u32;
                messages.push(slice.message_label(), text, from..from + len as u32, kernels)
            }
        };
        NewHost {
            slot,
            flags: Flags::SUB.when(sub > 0) | Flags::PORT.when(host.port().is_some()),
            port: host.port().unwrap_or(0),
            tld: host.tld_hash().ok_or_else(|| push(Slice::Tld, len - tld, tld)),
            // A host that is a public suffix has neither a domain nor a dot before the suffix, so its offset
            // is 0.
            domain: push(Slice::Domain, (len - tld).saturating_sub(domain + 1), domain),
            sub: push(Slice::Sub, 0, sub),
        }
    }

    #[inline]
    fn fields(&self, messages: &MessageBlocks<u64>) -> HostFields {
        let tld = self.tld.unwrap_or_else(|index| messages.hash_at(index));
        let [domain, sub] = [self.domain, self.sub].map(|index| messages.hash_at(index));
        let left = pack_left(tld, domain, sub, self.port);
        HostFields { flags: self.flags, left, port_low: self.port as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Encoder;
    use crate::sxurl::Sxurl;

    /// With the key, hosts that share a slot can be found. Each of them costs as much as a new host, and has
    /// its own hashes.
    #[test]
    fn hosts_that_share_a_slot_replace_each_other_and_no_more() {
        let key = HostCacheKey([1, 2]);
        let cache = HostCache::new(key);
        let slot = |host: &str| {
            let mut window = [0; 64];
            window[..host.len()].copy_from_slice(host.as_bytes());
            cache.slot(&CachedAuthority::new(&window, host.len()))
        };
        let target = slot("aim.example");
        let hosts =
            (0..).map(|number| format!("h{number}.example")).filter(|host| slot(host) == target).take(40);
        let urls: Vec<String> = hosts.map(|host| format!("https://{host}/")).collect();
        let mut encoder = Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), key, Kernels::detect());
        for _ in 0..3 {
            let mut ids = Vec::new();
            encoder.encode_all(urls.iter().map(String::as_str), |batch| ids.extend_from_slice(batch.ids()));
            let alone = urls.iter().map(|url| Sxurl::encode(url).expect("an http URL").to_bytes());
            assert!(ids.into_iter().eq(alone));
        }
    }

    #[test]
    fn every_error_of_an_authority_has_a_code_here() {
        for text in
            ["1.2.3.4", "a..b", "a:0", "[::1]", "a:1:2", "xn--a", &"x".repeat(64), "a b", "a:x", "%ff"]
        {
            let error =
                HostAndPort::parse(text, SuffixList::compiled()).expect_err("no authority of a SXURL");
            assert!(ERRORS.contains(&error.code()), "{text}: {}", error.code());
        }
    }
}
