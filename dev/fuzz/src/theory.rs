//! Theory of URLs and the generic syntax: printing gives the text, results are read as the intended tokens,
//! and resolution ends.

use urlid::generic::{Mode, normalise, remove_dot_segments, resolve};
use urlid::reference::{Class, Context, Reference, ReferenceBuf, TokenKind};

use crate::text::texts;

const CONTEXTS: [Context; 4] = [
    Context::Rfc3986,
    Context::Whatwg(Class::Generic),
    Context::Whatwg(Class::Web),
    Context::Whatwg(Class::File),
];

/// Reads a base and a reference.
pub fn target(data: &[u8]) {
    let [base, text] = texts(data);
    for context in CONTEXTS {
        let base = Reference::parse(&base, context).expect("the text is short");
        let reference = Reference::parse(&text, context).expect("the text is short");
        check_reference(&reference);
        for target in [base.goto(&reference), base.goto_nonstrict(&reference)].into_iter().flatten() {
            assert_eq!(target.as_reference().ord(), base.ord().min(reference.ord()));
            check_reference(&target.as_reference());
        }
    }
    for mode in [Mode::Strict, Mode::Nonstrict, Mode::Rfc2396] {
        if let Ok(target) = resolve(&base, &text, mode) {
            assert!(Reference::parse(&target, Context::Rfc3986).is_ok_and(|url| url.scheme().is_some()));
        }
    }
    let removed = remove_dot_segments(&text);
    assert_eq!(remove_dot_segments(&removed), removed);
    if let Ok(normal) = normalise(&text) {
        assert_eq!(normalise(&normal).as_ref(), Ok(&normal));
    }
}

fn check_reference(reference: &Reference<'_>) {
    let again = Reference::parse(reference.as_str(), reference.context()).expect("the text is short");
    assert_eq!(again, *reference);
    if reference.is_valid() {
        let made =
            ReferenceBuf::from_tokens(reference.context(), reference.tokens()).expect("a text reads as them");
        assert!(made.as_reference().tokens().eq(reference.tokens()));
    }
    for order in TokenKind::ALL {
        assert!(reference.as_str().starts_with(reference.upto(order).as_str()));
    }
}
