//! Many candidates against a list: recognised and hashed together, with overlapping memory accesses.

use super::candidate::ListCandidate;
use super::matcher::{HashPlan, ListMatcher};
use super::rules::{Covers, Intake, ListRules};
use super::value::Entry;
use crate::matcher::{DigestLookup, Scratch};
use urlid::Error;
use urlid::batch::Encoder;
use urlid::hashed_uri::{Algorithm, HashedUri, Hasher, Keep, Variant};

/// The number of candidates that are looked up together. It is large enough for their cache misses to
/// overlap, and small enough for them to stay in the cache.
const BATCH_URIS: usize = 256;

impl ListMatcher {
    /// Finds the entries that [`find`](Self::find) finds for many candidates, and appends them to `found` in
    /// the same order.
    ///
    /// This is faster than single look-ups, because many candidates are hashed together and their memory
    /// accesses overlap.
    pub fn find_many<'l>(
        &'l self,
        scratch: &mut Scratch,
        uris: &[&str],
        base: Option<&str>,
        found: &mut Vec<Result<Option<Entry<'l>>, Error>>,
    ) {
        // The code below hashes one text of a candidate for each plan. An empty list lacks plans, which would
        // detect the candidates without a canonical form.
        if self.rules().covers != Covers::Url || self.plans.is_empty() {
            let find = |uri: &&str| Ok(self.find(scratch, uri, base)?.map(|found| found.entry));
            return found.extend(uris.iter().map(find));
        }
        for uris in uris.chunks(BATCH_URIS) {
            let start = found.len();
            found.extend(uris.iter().map(|_| Ok(None)));
            for plan in &self.plans {
                match self.is_batched(plan) {
                    true => self.hash_batch(plan, scratch, uris, base, &mut found[start..]),
                    false => self.hash(plan, scratch, uris, base, &mut found[start..]),
                }
                self.look_up_together(scratch, &mut found[start..]);
            }
        }
    }

    /// Returns whether a batch encoder computes the digests of a plan: SHA-1 by the draft's own rules.
    fn is_batched(&self, plan: &HashPlan) -> bool {
        let ListRules { variant, intake, covers, .. } = self.rules();
        let is_sha1 = |(_, hasher): &(usize, Hasher)| hasher.algorithm() == Algorithm::Sha1;
        (variant, intake, covers) == (Variant::N, Intake::Rfc3986, Covers::Url)
            && plan.groups.iter().all(is_sha1)
    }

    /// Computes the digests of all candidates together. A candidate that needs its base, or has no digest at
    /// all, is looked up separately.
    fn hash_batch<'l>(
        &'l self,
        plan: &HashPlan,
        scratch: &mut Scratch,
        uris: &[&str],
        base: Option<&str>,
        found: &mut [Result<Option<Entry<'l>>, Error>],
    ) {
        let place = scratch.encoder(plan.keep);
        let Scratch { encoders, bytes, lookups, alone, computed, .. } = &mut *scratch;
        bytes.clear();
        lookups.clear();
        alone.clear();
        let mut first = 0;
        encoders[place].1.encode_all(uris.iter().copied(), |batch| {
            // Exceptions ascend, and each occupies an id whose value is unspecified.
            let mut exceptions = batch.rejected().map(|(index, _)| index).peekable();
            for (index, id) in batch.ids().iter().enumerate() {
                if exceptions.next_if_eq(&index).is_some() {
                    alone.push(first + index);
                } else {
                    let digest = bytes.len()..bytes.len() + id.digest.len();
                    bytes.extend_from_slice(&id.digest);
                    lookups.extend(plan.groups.iter().map(|(group, _)| DigestLookup {
                        candidate: first + index,
                        group: *group,
                        digest: digest.clone(),
                        place: 0..0,
                    }));
                }
            }
            first += batch.len();
        });
        *computed += lookups.len() as u64;
        // `find` looks up every plan, so its result for one plan holds for all.
        for candidate in std::mem::take(&mut scratch.alone) {
            found[candidate] =
                self.find(scratch, uris[candidate], base).map(|found| found.map(|found| found.entry));
        }
    }

    /// Computes the digests of the candidates that are still without a match.
    fn hash(
        &self,
        plan: &HashPlan,
        scratch: &mut Scratch,
        uris: &[&str],
        base: Option<&str>,
        found: &mut [Result<Option<Entry<'_>>, Error>],
    ) {
        scratch.bytes.clear();
        scratch.lookups.clear();
        for (candidate, (uri, found)) in uris.iter().zip(found).enumerate() {
            // An earlier plan has found it, and plans are in the order in which `find` searches.
            if !matches!(found, Ok(None)) {
                continue;
            }
            let room = core::mem::take(&mut scratch.room);
            let canonical = ListCandidate::new(uri, base, self.rules())
                .and_then(|it| it.canonical(room, &mut scratch.cut, it.itself(), plan.keep));
            let canonical = match canonical {
                Ok(canonical) => canonical,
                Err(error) => {
                    *found = Err(error);
                    continue;
                }
            };
            for (group, hasher) in &plan.groups {
                let before = scratch.bytes.len();
                hasher.push_digest(&canonical, &mut scratch.bytes);
                let digest = before..scratch.bytes.len();
                scratch.lookups.push(DigestLookup { candidate, group: *group, digest, place: 0..0 });
            }
            scratch.room = canonical.into_string();
        }
        scratch.computed += scratch.lookups.len() as u64;
    }

    /// Drops the digests that the filters show missing, then finds the places of the others, then compares.
    /// The data that a step reads was prefetched by the step before it.
    fn look_up_together<'l>(&'l self, scratch: &mut Scratch, found: &mut [Result<Option<Entry<'l>>, Error>]) {
        let Scratch { bytes, lookups, .. } = scratch;
        for lookup in lookups.iter() {
            self.group(lookup.group).digests.prefetch(&bytes[lookup.digest.clone()]);
        }
        lookups.retain(|lookup| self.group(lookup.group).digests.may_have(&bytes[lookup.digest.clone()]));
        for lookup in lookups.iter_mut() {
            lookup.place = self.group(lookup.group).digests.place(&bytes[lookup.digest.clone()]);
        }
        for lookup in lookups.iter() {
            let group = self.group(lookup.group);
            let digest = &bytes[lookup.digest.clone()];
            // Plans and the groups of a candidate are in the order in which `find` searches, so the first
            // match stays.
            if group.digests.is_at(&lookup.place, digest) && found[lookup.candidate] == Ok(None) {
                found[lookup.candidate] = Ok(Some(group.entry(digest)));
            }
        }
    }
}

impl Scratch {
    /// Returns the index of the encoder that keeps these parts. It is made on first use.
    fn encoder(&mut self, keep: Keep) -> usize {
        let place = self.encoders.iter().position(|(other, _)| *other == keep);
        place.unwrap_or_else(|| {
            self.encoders.push((keep, Encoder::<HashedUri>::with_kernels(keep, self.kernels)));
            self.encoders.len() - 1
        })
    }
}
