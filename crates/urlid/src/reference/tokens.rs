//! The iterator over the tokens of a [`Reference`].

use super::Reference;
use super::parse::is_slash;
use super::structure::check_structure;
use super::token::{Token, TokenKind};

impl<'a> Reference<'a> {
    /// Returns the tokens in order.
    pub fn tokens(&self) -> Tokens<'a> {
        Tokens::new(*self)
    }

    /// Returns whether the tokens satisfy every structural constraint of the Theory, including the two file
    /// constraints.
    pub fn is_valid(&self) -> bool {
        check_structure(self.tokens()).is_ok()
    }
}

impl core::fmt::Debug for Reference<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.tokens().map(|token| (token.kind, token.text))).finish()
    }
}

/// The tokens of a [`Reference`], in order.
///
/// ```
/// use urlid::reference::{Context, Reference};
///
/// assert_eq!(Reference::parse("http://h/a/b", Context::Rfc3986)?.tokens().count(), 5);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone)]
pub struct Tokens<'a> {
    of: Reference<'a>,
    next: Option<TokenKind>,
    /// The remaining directories, each with its slash.
    directories: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(reference: Reference<'a>) -> Self {
        let directories = reference.slice(reference.at.rel_start, reference.at.file_start);
        Self { of: reference, next: Some(TokenKind::Scheme), directories }
    }

    /// Returns the text of the token of this type, which is not directory.
    fn single(&self, kind: TokenKind) -> Option<&'a str> {
        let (of, at) = (&self.of, &self.of.at);
        match kind {
            TokenKind::Scheme => of.scheme(),
            TokenKind::Authority => of.authority_text(),
            TokenKind::Drive => of.drive(),
            TokenKind::Root => at.has_root.then(|| of.slice(at.drive_end(), at.rel_start)),
            TokenKind::Directory => None,
            TokenKind::File => Some(of.slice(at.file_start, at.path_end)).filter(|file| !file.is_empty()),
            TokenKind::Query => of.query(),
            TokenKind::Fragment => of.fragment(),
        }
    }

    fn next_directory(&mut self) -> Option<&'a str> {
        let class = self.of.at.class;
        let end = self.directories.bytes().position(|byte| is_slash(byte, class))?;
        let (directory, rest) = (&self.directories[..end], &self.directories[end + 1..]);
        self.directories = rest;
        Some(directory)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let kind = self.next?;
            // Only directories repeat, so the kind stays the same until all of them were returned.
            if kind == TokenKind::Directory
                && let Some(text) = self.next_directory()
            {
                return Some(Token { kind, text });
            }
            self.next = TokenKind::ALL.get(kind as usize + 1).copied();
            if let Some(text) = self.single(kind) {
                return Some(Token { kind, text });
            }
        }
    }
}

impl core::iter::FusedIterator for Tokens<'_> {}
