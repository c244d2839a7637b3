//! Customers, all made up: no two bases of the generated set have the same.

use serde_json::{Value, json};
use weir_plugin::scenario::Seed;

const FIRST: &[&str] = &[
    "Amara", "Bruno", "Celia", "Dario", "Elena", "Farid", "Greta", "Hamid", "Irina", "Jakob", "Kamala", "Lorenzo",
    "Marta", "Nabil", "Odette", "Pavel", "Quinta", "Rosa", "Samir", "Tilda", "Ulrich", "Vera", "Wanda", "Xenia",
    "Yannick", "Zelda", "Anton", "Bianca", "Cyrus", "Dunja", "Emil", "Flora", "Gustav", "Helene", "Imran", "Jolanda",
    "Konrad", "Ludmila", "Matteo", "Nadine", "Oscar", "Petra", "Quentin", "Ravi", "Selma", "Theo", "Ursula", "Viktor",
    "Wilma", "Yusra", "Zora", "Alba", "Boris", "Carmen", "Dimitri", "Esther", "Felix", "Gloria", "Hugo", "Iris",
];

const LAST: &[&str] = &[
    "Abbott",
    "Barros",
    "Castell",
    "Delgado",
    "Eriksen",
    "Fontaine",
    "Grimaldi",
    "Haddad",
    "Ivarsson",
    "Jansen",
    "Kowal",
    "Lindqvist",
    "Mbeki",
    "Novak",
    "Oduya",
    "Petrov",
    "Quist",
    "Rahman",
    "Sorensen",
    "Takeda",
    "Ueda",
    "Vogel",
    "Weiss",
    "Yilmaz",
    "Zeller",
    "Almeida",
    "Brandt",
    "Corrigan",
    "Duarte",
    "Ekberg",
];

const STREETS: &[&str] = &[
    "Alder Street",
    "Birch Lane",
    "Chapel Road",
    "Dock Street",
    "Elder Way",
    "Foundry Road",
    "Garden Row",
    "Hazel Court",
    "Ivy Terrace",
    "Juniper Drive",
    "Kiln Lane",
    "Lantern Street",
];

const CITIES: &[(&str, &str, &str)] = &[
    ("Denver", "CO", "802"),
    ("Austin", "TX", "787"),
    ("Boston", "MA", "021"),
    ("Seattle", "WA", "981"),
    ("Phoenix", "AZ", "850"),
    ("Chicago", "IL", "606"),
    ("Atlanta", "GA", "303"),
    ("Portland", "OR", "972"),
];

/// A customer.
#[derive(Clone, Debug)]
pub struct Person {
    /// First name.
    pub first: String,
    /// Last name.
    pub last: String,
    /// As `first_last_1234`.
    pub user: String,
    /// E-mail address, in a domain that nobody can own.
    pub email: String,
    /// Date of birth.
    pub dob: String,
    /// House and street.
    pub street: String,
    /// City.
    pub city: String,
    /// State.
    pub state: String,
    /// Postal code.
    pub zip: String,
}

/// The customer at a position of the whole generated set. Up to 60 have different first names.
#[must_use]
pub fn person(position: u32, seed: u64) -> Person {
    let order = Seed::of(&["people", &seed.to_string()]).shuffled(FIRST);
    let index = usize::try_from(position).ok().and_then(|position| position.checked_rem(order.len()));
    let first = index.and_then(|index| order.get(index)).copied().unwrap_or_default();
    let mut draw = Seed::of(&["person", &seed.to_string(), &position.to_string()]);
    let last = draw.pick(LAST);
    let (city, state, area) = draw.pick(CITIES);
    Person {
        first: first.into(),
        last: last.into(),
        user: format!("{}_{}_{}", first.to_lowercase(), last.to_lowercase(), draw.digits(4)),
        email: format!("{}.{}@example.com", first.to_lowercase(), last.to_lowercase()),
        dob: date_of_birth(&mut draw),
        street: format!("{} {}", draw.between(10, 980), draw.pick(STREETS)),
        city: city.into(),
        state: state.into(),
        zip: format!("{area}{:02}", draw.between(1, 99)),
    }
}

/// A grown-up's date of birth.
pub fn date_of_birth(draw: &mut Seed) -> String {
    format!("{}-{:02}-{:02}", draw.between(1952, 2001), draw.between(1, 12), draw.between(1, 28))
}

/// Somebody's account, as `first_last_1234`.
pub fn account(draw: &mut Seed) -> String {
    format!("{}_{}_{}", draw.pick(FIRST).to_lowercase(), draw.pick(LAST).to_lowercase(), draw.digits(4))
}

/// A house in a street. Five digits keep it apart from every other.
pub fn street(draw: &mut Seed) -> String {
    format!("{} {}", draw.digits(5), draw.pick(STREETS))
}

/// First and last name of a companion.
pub fn companion(draw: &mut Seed) -> (String, String) {
    (draw.pick(FIRST).into(), draw.pick(LAST).into())
}

impl Person {
    /// First and last name as a record has them.
    #[must_use]
    pub fn name(&self) -> Value {
        json!({"first_name": self.first, "last_name": self.last})
    }
}
