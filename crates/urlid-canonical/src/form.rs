//! A canonical form: a profile and the steps after it. The name of a form contains all of them.

use std::fmt;
use std::str::FromStr;

use super::canonicalizer::Canonicalizer;
use super::no_vary_search::NoVarySearch;
use super::profile::{Kind, Profile};
use super::profiles;
use super::site_rules::Rules;
use super::steps::FormStep;
use super::tracking::TrackingList;
use crate::error;
use urlid::Error;
use urlid::hashed_uri::{self, Keep, Variant};
use urlid::web::Url;

/// A canonical form, such as `surt-0.3.1` or `web+drop-fragment`.
///
/// ```
/// use urlid_canonical::Form;
///
/// let form: Form = "web+drop-fragment+drop-query=utm_*,gclid+https".parse()?;
/// assert_eq!(form.canonicalize("HTTP://a.example/?b=1&utm_id=2#c")?, "https://a.example/?b=1");
/// assert_eq!("web+https+drop-fragment".parse::<Form>()?.to_string(), "web+drop-fragment+https");
/// assert!("surt-0.3.1+https".parse::<Form>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Form {
    profile: &'static Profile,
    steps: Vec<FormStep>,
}

impl Form {
    /// Makes the form of a profile and the steps after it, which may be in any order. The form applies and
    /// names them in one order, so that equal forms have equal names.
    ///
    /// # Errors
    /// [`Error`] if the forms of the profile are keys, a step is repeated, a step has a parameter with a name
    /// that is not in canonical form, or rules of sites are combined with an incompatible profile or
    /// step.
    pub fn new(profile: &'static Profile, mut steps: Vec<FormStep>) -> Result<Self, Error> {
        if profile.kind == Kind::Key && !steps.is_empty() {
            return Err(error::STEP_AFTER_KEY.error().with_subject(profile.name));
        }
        steps.iter().try_for_each(FormStep::check)?;
        check_beside(profile, &steps)?;
        // A step that the profile has is not repeated, and not named.
        steps.retain(|step| !profile.steps().contains(step));
        steps.extend_from_slice(profile.steps());
        steps.sort_by_key(FormStep::rank);
        match steps.windows(2).find(|pair| pair[0].rank() == pair[1].rank()) {
            Some(pair) => Err(error::REPEATED_STEP.error().with_shown(&pair[1])),
            None => Ok(Self { profile, steps }),
        }
    }

    /// Reads the name of a form, with its steps in any order. A step `+drop-tracking@NAME` may name one of
    /// the given lists. `+drop-tracking` stands for the first of them, or for the list of this library if
    /// `lists` is empty.
    ///
    /// ```
    /// use urlid_canonical::{Form, TrackingList};
    ///
    /// let list = TrackingList::parse(r#"{"global": {"queryParams": ["ref"], "topLevelSites": ["*"]}}"#)?;
    /// let form = Form::parse_with("web+drop-tracking@firefox-b52dde4d", &[list])?;
    /// assert_eq!(form.canonicalize("https://docs.rs/?ref=x&q=y")?, "https://docs.rs/?q=y");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error`] if the text is not the name of a form, or names a missing list.
    pub fn parse_with(name: &str, lists: &[TrackingList]) -> Result<Self, Error> {
        Self::parse_with_rules(name, lists, None)
    }

    /// Reads the name of a form like [`parse_with`](Form::parse_with). Its step `+rules@NAME` may name the
    /// given rules, and a bare `+rules` stands for them.
    ///
    /// ```
    /// use urlid_canonical::{Form, Rules};
    ///
    /// let rules = Rules::parse("urlid-rules 1\n[h.example]\nkeep id\n")?;
    /// let form = Form::parse_with_rules("web+rules+https", &[], Some(&rules))?;
    /// assert_eq!(form.to_string(), format!("web+rules@{}+https", rules.name()));
    /// assert_eq!(form.canonicalize("http://h.example/?id=1&s=2")?, "https://h.example/?id=1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`parse_with`](Form::parse_with), and an error if the rules are missing.
    pub fn parse_with_rules(
        name: &str,
        lists: &[TrackingList],
        rules: Option<&Rules>,
    ) -> Result<Self, Error> {
        // Parameters of steps escape their `+`, so each `+` here starts a step.
        let mut pieces = name.split('+');
        let profile = Profile::named(pieces.next().unwrap_or_default())?;
        Self::new(profile, pieces.map(|step| FormStep::parse(step, lists, rules)).collect::<Result<_, _>>()?)
    }

    /// Returns the rules of sites that the form applies.
    pub fn rules(&self) -> Option<&Rules> {
        self.steps.iter().find_map(|step| match step {
            FormStep::Rules(rules) => Some(rules),
            _ => None,
        })
    }

    /// Returns the profile that the steps follow.
    pub fn profile(&self) -> &'static Profile {
        self.profile
    }

    /// Returns the steps of the profile and the steps after it, in the order in which they are applied.
    pub fn steps(&self) -> &[FormStep] {
        &self.steps
    }

    /// Returns the variant of The Hashed URI, if the form is exactly that. Then
    /// [`canonicalize_with`](Form::canonicalize_with) accepts a base and parts to keep.
    pub fn hashed_variant(&self) -> Option<Variant> {
        profiles::hashed_variant(self.profile).filter(|_| self.steps.is_empty())
    }

    /// Returns the canonical form of a text.
    ///
    /// # Errors
    /// [`Error`] if the text does not have a canonical form in the profile.
    pub fn canonicalize(&self, text: &str) -> Result<String, Error> {
        let mut out = String::with_capacity(text.len());
        self.canonicalize_into(text, &mut out)?;
        Ok(out)
    }

    /// Returns an error if the form lacks an option. `web`, even with steps, and the forms of The Hashed URI
    /// resolve against a base. Only the forms of The Hashed URI keep a query or a fragment on request.
    ///
    /// # Errors
    /// [`Error`] with [`ErrorCode::CanonName`](urlid::ErrorCode::CanonName), which names the option.
    pub fn check_options(&self, base: Option<&str>, keep: Keep) -> Result<(), Error> {
        let lacks = |option, forms| {
            Err(error::NO_OPTION.found(option).with_subject(self.to_string()).with_expected(forms))
        };
        let is_hashed = self.hashed_variant().is_some();
        if keep != Keep::NONE && !is_hashed {
            return lacks("keep", "hashed-none, hashed-n or hashed-p");
        }
        if base.is_some() && !is_hashed && self.profile.name != "web" {
            return lacks("base", "web, hashed-none, hashed-n or hashed-p");
        }
        Ok(())
    }

    /// Returns the canonical form of a text, resolved against a base if one is given. The parts in `keep`
    /// stay.
    ///
    /// ```
    /// use urlid::hashed_uri::Keep;
    /// use urlid_canonical::Form;
    ///
    /// let form: Form = "web+drop-fragment".parse()?;
    /// assert_eq!(form.canonicalize_with("../b#c", Some("http://h/x/y/z"), Keep::NONE)?, "http://h/x/b");
    /// # Ok::<(), urlid::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`canonicalize`](Form::canonicalize) and [`check_options`](Form::check_options).
    pub fn canonicalize_with(&self, text: &str, base: Option<&str>, keep: Keep) -> Result<String, Error> {
        self.check_options(base, keep)?;
        if let Some(variant) = self.hashed_variant() {
            return Ok(hashed_uri::canonicalize(text, base, keep, variant)?.into_string());
        }
        match base {
            // Only `web` gets this far with a base, and its form of the joined URL is that URL itself.
            Some(base) => self.canonicalize(Url::parse(base)?.join(text)?.as_str()),
            None => self.canonicalize(text),
        }
    }

    /// Appends the canonical form of a text.
    ///
    /// # Errors
    /// The errors of [`canonicalize`](Form::canonicalize). The output is then unchanged.
    pub fn canonicalize_into(&self, text: &str, out: &mut String) -> Result<(), Error> {
        self.canonicalizer().canonicalize_into(text, out)
    }

    /// Returns a canonicalizer, which reuses its buffers for many texts.
    pub fn canonicalizer(&self) -> Canonicalizer<'_> {
        Canonicalizer::new(self.profile, &self.steps)
    }
}

/// Returns an error if No-Vary-Search follows a profile other than `web`, if rules of sites follow a profile
/// other than `web` and `page-1`, or if steps that change host or path follow rules, because host and path
/// select the scopes.
fn check_beside(profile: &Profile, steps: &[FormStep]) -> Result<(), Error> {
    // Its own steps follow the rules, and the form of its form need not be the form itself.
    let is_page = !profile.steps().is_empty();
    let misplaced = steps.iter().filter(|_| profile.name != "web").find_map(|step| match step {
        FormStep::Rules(_) if !is_page => Some(("rules", "web or page-1")),
        FormStep::NoVarySearch(_) => Some(("no-vary-search-05", "web")),
        _ => None,
    });
    if let Some((step, expected)) = misplaced {
        return Err(error::AFTER_OTHER.found(profile.name).with_subject(step).with_expected(expected));
    }
    if is_page || !steps.iter().any(|step| matches!(step, FormStep::Rules(_))) {
        return Ok(());
    }
    steps.iter().try_for_each(|step| match step {
        // After these steps the result may have a host or path in a different scope than the input.
        FormStep::StripWww => Err(error::AFTER_RULES.error().with_shown(step).with_expected("`alias`")),
        FormStep::TrailingSlash => Err(error::AFTER_RULES.error().with_shown(step).with_expected("`slash`")),
        FormStep::DropSession => {
            Err(error::AFTER_RULES.error().with_shown(step).with_expected("`session` and `drop`"))
        }
        _ => Ok(()),
    })
}

impl From<&'static Profile> for Form {
    fn from(profile: &'static Profile) -> Self {
        Self { profile, steps: profile.steps().to_vec() }
    }
}

impl FromStr for Form {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::parse_with(name, &[])
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.profile.name)?;
        let mut named = self.steps.iter().filter(|step| !self.profile.steps().contains(step));
        named.try_for_each(|step| write!(f, "+{step}"))
    }
}

impl NoVarySearch {
    /// Returns the form that is equal for equivalent URLs: `web` and the step `+no-vary-search-05=…`.
    pub fn to_form(&self) -> Form {
        let web = Profile::named("web").expect("a profile has this name");
        Form::new(web, vec![FormStep::NoVarySearch(self.clone())]).expect("the step goes with web")
    }

    /// Returns whether two URLs are equivalent.
    ///
    /// # Errors
    /// [`Error`] if one of them is not an absolute URL.
    pub fn are_equivalent(&self, a: &str, b: &str) -> Result<bool, Error> {
        let form = self.to_form();
        Ok(form.canonicalize(a)? == form.canonicalize(b)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FormStep;

    const STEPS: &str =
        "+drop-anchor+sort-query+drop-tracking@firefox-46740ded+strip-www+trailing-slash+https";

    #[test]
    fn the_steps_of_a_profile_have_their_places_among_others() {
        let urls = [
            "HTTP://www.h.example/a/?utm_source=1&b=2&a#top",
            "http://h.example/?b&a;sid=1#!x",
            "https://www1.h.example:8080//?",
            "mailto:a/?b",
        ];
        for more in ["", "+drop-fragment", "+drop-query=b", "+drop-session", "+drop-values+drop-query=a"] {
            let page: Form = format!("page-1{more}").parse().expect("a form");
            let written: Form = format!("web{STEPS}{more}").parse().expect("a form");
            assert_eq!(page.steps(), written.steps());
            assert_eq!(page.to_string().parse::<Form>().expect("its name").to_string(), page.to_string());
            for url in urls {
                assert_eq!(page.canonicalize(url), written.canonicalize(url), "{url}");
            }
        }
        assert_eq!(Form::from(Profile::named("page-1").expect("there")).to_string(), "page-1");
        assert_eq!(
            "page-1+https+drop-fragment".parse::<Form>().expect("a form").to_string(),
            "page-1+drop-fragment"
        );
        let list =
            TrackingList::parse(r#"{"a": {"queryParams": ["q"], "topLevelSites": ["*"]}}"#).expect("a list");
        let other = Form::parse_with("page-1+drop-tracking", &[list]);
        assert!(other.is_err_and(|error| error.is(error::REPEATED_STEP)));
    }

    #[test]
    fn rules_of_sites_come_before_the_steps_of_a_profile() {
        let rules = "urlid-rules 1\n[*.h.example]\nindex index.html\nhold utm_id\n[www.h.example]\ndrop a";
        let rules = Rules::parse(rules).expect("rules");
        let form = Form::parse_with_rules("page-1+rules", &[], Some(&rules)).expect("a form");
        assert_eq!(form.to_string(), format!("page-1+rules@{}", rules.name()));
        assert!(matches!(form.steps()[0], FormStep::Rules(_)));
        let url = "http://www.h.example/x/index.html?a&b&utm_id=1#c";
        assert_eq!(form.canonicalize(url).as_deref(), Ok("https://h.example/x?b"));
    }
}
