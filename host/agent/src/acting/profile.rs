//! How a simulated acting model behaves: a file in which every number says what it counts and where it comes from.

use super::block::{Label, Seen};
use super::source::Source;
use crate::profile::{Parameter, Probability, ProfileError};
use serde::{Deserialize, Serialize};

/// The built-in profiles.
const BUILT_IN: [(&str, &str); 3] = [
    ("sim:value-follower", include_str!("../../profiles/acting/value-follower.toml")),
    ("sim:label-respecting", include_str!("../../profiles/acting/label-respecting.toml")),
    ("sim:hesitant", include_str!("../../profiles/acting/hesitant.toml")),
];

/// The traits of a simulated acting model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActingProfile {
    /// Its name, which begins with `sim:` so that no table can take it for a real model.
    pub name: String,
    /// One line for a reader.
    pub title: String,
    /// How often it acts on a memory without a label.
    pub unlabelled: Unlabelled,
    /// How often it acts on a labelled memory.
    pub labelled: Labelled,
    /// Per call: one argument is not quite the right one.
    pub wrong_argument: Parameter<Probability>,
    /// Per call: it is no valid action.
    pub malformed: Parameter<Probability>,
}

/// Probabilities of acting on a memory without a label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unlabelled {
    /// Its text names no source.
    pub nobody: Parameter<Probability>,
    /// Its text names another source than the user.
    pub other: Parameter<Probability>,
    /// Its text names the user as its source.
    pub user: Parameter<Probability>,
    /// The most that the above come to under a warning.
    pub warned: Parameter<Probability>,
}

/// Probabilities of acting on a labelled memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labelled {
    /// Authorized.
    pub authorized: Parameter<Probability>,
    /// Attested.
    pub attested: Parameter<Probability>,
    /// Unendorsed.
    pub unendorsed: Parameter<Probability>,
    /// The most that the two lower labels come to where the text names another source than the user.
    pub below_other: Parameter<Probability>,
}

impl ActingProfile {
    /// Reads a profile.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let profile: ActingProfile = toml::from_str(text).map_err(Box::new)?;
        if !profile.name.starts_with("sim:") {
            return Err(ProfileError::Name(profile.name));
        }
        let silent =
            profile.numbers().into_iter().find(|(_, number)| number.is_silent()).map(|(field, _)| field.into());
        match silent {
            Some(field) => Err(ProfileError::Silent { name: profile.name, field }),
            None => Ok(profile),
        }
    }

    /// The text of the built-in profile of this name.
    #[must_use]
    pub fn built_in(name: &str) -> Option<&'static str> {
        BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// Names of the built-in profiles.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The probability of acting on a memory, as it is shown.
    pub(super) fn acts_on(&self, seen: &Seen) -> f64 {
        let number = |parameter: &Parameter<Probability>| f64::from(parameter.value);
        let (plain, labelled) = (&self.unlabelled, &self.labelled);
        let below = |own: &Parameter<Probability>| match seen.source {
            Source::Other => number(own).min(number(&labelled.below_other)),
            Source::Nobody | Source::User => number(own),
        };
        match (seen.label, seen.source) {
            (Some(Label::Authorized), _) => number(&labelled.authorized),
            (Some(Label::Attested), _) => below(&labelled.attested),
            (Some(Label::Unendorsed), _) => below(&labelled.unendorsed),
            (None, source) => {
                let own = match source {
                    Source::Nobody => number(&plain.nobody),
                    Source::Other => number(&plain.other),
                    Source::User => number(&plain.user),
                };
                if seen.warned { own.min(number(&plain.warned)) } else { own }
            }
        }
    }

    fn numbers(&self) -> [(&'static str, &Parameter<Probability>); 10] {
        let (plain, labelled) = (&self.unlabelled, &self.labelled);
        [
            ("unlabelled.nobody", &plain.nobody),
            ("unlabelled.other", &plain.other),
            ("unlabelled.user", &plain.user),
            ("unlabelled.warned", &plain.warned),
            ("labelled.authorized", &labelled.authorized),
            ("labelled.attested", &labelled.attested),
            ("labelled.unendorsed", &labelled.unendorsed),
            ("labelled.below_other", &labelled.below_other),
            ("wrong_argument", &self.wrong_argument),
            ("malformed", &self.malformed),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(from: &str, to: &str) -> String {
        let text = ActingProfile::built_in("sim:hesitant").unwrap();
        assert!(text.contains(from), "{from}");
        ActingProfile::parse(&text.replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn every_built_in_profile_parses_under_its_own_name() {
        for name in ActingProfile::names() {
            assert_eq!(ActingProfile::parse(ActingProfile::built_in(name).unwrap()).unwrap().name, name);
        }
        assert_eq!(ActingProfile::built_in("hesitant"), None);
    }

    #[test]
    fn no_name_is_also_that_of_another_kind_of_profile() {
        assert!(ActingProfile::names().all(|name| crate::Profile::built_in(name).is_none()));
    }

    #[test]
    fn a_profile_in_another_form_is_refused() {
        assert!(changed("sim:hesitant", "gpt").contains("`gpt` must have a name that begins with `sim:`"));
        assert!(changed("[malformed]", "[misshapen]").contains("misshapen"));
        assert!(changed("[labelled.attested]", "[labelled.assisted]").contains("assisted"));
        assert!(
            changed("source = \"", "source = \" \" #").contains("`unlabelled.nobody` needs a `unit` and a `source`")
        );
        assert!(changed("value = 0.", "value = 7.").contains("is no probability"));
    }
}
