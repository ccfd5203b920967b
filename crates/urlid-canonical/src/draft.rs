//! The state that rules change. It is first a text, then its parts, then the text of the form.

/// A part of a reference that may be absent. Its buffer is reused when the part is set again.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    is_present: bool,
    bytes: Vec<u8>,
}

impl Part {
    /// Makes the part present, with these bytes.
    pub(super) fn set(&mut self, bytes: &[u8]) {
        self.is_present = true;
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
    }

    /// Makes the part absent.
    pub(super) fn remove(&mut self) {
        self.is_present = false;
        self.bytes.clear();
    }

    /// Sets or removes the part.
    pub(super) fn set_option(&mut self, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => self.set(bytes),
            None => self.remove(),
        }
    }

    /// Returns the bytes if the part is present.
    pub(super) fn get(&self) -> Option<&[u8]> {
        self.is_present.then_some(&self.bytes)
    }

    /// Returns whether the part is absent or empty.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes, which are empty for an absent part.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes for changes. The bytes of an absent part stay empty.
    pub(super) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

/// The state of a draft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// A text that is not split yet.
    #[default]
    Text,
    /// A text that is split into its parts.
    Parts,
    /// The finished text. Further rules do not run.
    Finished,
}

/// A reference on its way to a canonical form.
///
/// All parts are bytes, because decoding may produce invalid UTF-8 before encoding hides it again.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) stage: Stage,
    pub(super) text: Vec<u8>,
    pub(super) scheme: Part,
    pub(super) userinfo: Part,
    /// Present if there was an authority. Contains the whole authority until a rule splits it.
    pub(super) host: Part,
    pub(super) port: Part,
    pub(super) path: Vec<u8>,
    /// The parameters that Python's `urlparse` splits off the last segment.
    pub(super) params: Part,
    pub(super) query: Part,
    pub(super) fragment: Part,
    /// A buffer for rules that build a new text.
    pub(super) spare: Vec<u8>,
}

impl Draft {
    /// Starts again with a new text.
    pub(super) fn begin(&mut self, text: &[u8]) {
        // The parts keep the values of the last text. The rule that splits a text sets or removes each of
        // them.
        self.stage = Stage::Text;
        self.text.clear();
        self.text.extend_from_slice(text);
    }

    /// Finishes with the current text.
    pub(super) fn finish(&mut self) {
        self.stage = Stage::Finished;
    }

    pub(super) fn finish_with(&mut self, text: &[u8]) {
        self.text.clear();
        self.text.extend_from_slice(text);
        self.stage = Stage::Finished;
    }

    /// Joins userinfo, host and port in the host.
    pub(super) fn join_authority(&mut self) {
        let Self { userinfo, host, port, spare, .. } = self;
        spare.clear();
        push_between(b"", userinfo, b"@", spare);
        spare.extend_from_slice(host.bytes());
        push_between(b":", port, b"", spare);
        // The buffers are swapped instead of copied, so both keep their capacity for the next text.
        core::mem::swap(host.bytes_mut(), spare);
    }

    /// Joins the parts to a text.
    pub(super) fn join(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        self.push_parts(&mut text);
        self.text = text;
        self.stage = Stage::Text;
    }

    /// Returns the text in a trace, which is the text or the joined parts.
    pub(super) fn to_shown(&self) -> String {
        let mut shown = Vec::new();
        match self.stage {
            Stage::Parts => self.push_parts(&mut shown),
            // The conversion is lossy, because the bytes between decoding and encoding may be invalid UTF-8.
            Stage::Text | Stage::Finished => shown.extend_from_slice(&self.text),
        }
        String::from_utf8_lossy(&shown).into_owned()
    }

    fn push_parts(&self, out: &mut Vec<u8>) {
        push_between(b"", &self.scheme, b":", out);
        if self.host.get().is_some() {
            out.extend_from_slice(b"//");
            push_between(b"", &self.userinfo, b"@", out);
            out.extend_from_slice(self.host.bytes());
            push_between(b":", &self.port, b"", out);
        }
        out.extend_from_slice(&self.path);
        push_between(b";", &self.params, b"", out);
        push_between(b"?", &self.query, b"", out);
        push_between(b"#", &self.fragment, b"", out);
    }
}

fn push_between(before: &[u8], part: &Part, after: &[u8], out: &mut Vec<u8>) {
    if let Some(bytes) = part.get() {
        out.extend_from_slice(before);
        out.extend_from_slice(bytes);
        out.extend_from_slice(after);
    }
}
