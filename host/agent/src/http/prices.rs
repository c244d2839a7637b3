//! What a model's tokens cost: a file that the user gives, since no price in a program stays true.

use super::server::Server;
use serde::Deserialize;
use std::collections::BTreeMap;
use thiserror::Error;

/// The prices of models, from a file like
///
/// ```toml
/// currency = "USD"
///
/// [[price]]
/// model = "openai-api/openai/gpt-4o-mini"   # or the model's name alone, on any server
/// input = 0.15                              # per million tokens read
/// output = 0.60                             # per million tokens written
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    currency: String,
    models: BTreeMap<String, Price>,
}

/// A model's price, in the file's currency per million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Of tokens read.
    pub input: f64,
    /// Of tokens written.
    pub output: f64,
}

impl Price {
    /// Of a million tokens read and written, in millionths of the currency, to the nearest one.
    #[must_use]
    pub fn millionths(self) -> [u64; 2] {
        // Prices are finite and not negative, so a whole number is written.
        [self.input, self.output].map(|price| format!("{:.0}", price * 1e6).parse().unwrap_or(u64::MAX))
    }

    /// What so many tokens cost.
    #[must_use]
    pub fn cost(self, input_tokens: u64, output_tokens: u64) -> f64 {
        // Exact below 2^53 tokens.
        (input_tokens as f64 * self.input + output_tokens as f64 * self.output) / 1e6
    }
}

/// What is wrong with a file of prices.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PriceError {
    /// It is no such TOML.
    #[error("the price file is not as expected: {0}")]
    Form(String),
    /// A number that is no price.
    #[error("the price file gives `{model}` an {side} price that is none: it must be 0 or more")]
    Number {
        /// The model.
        model: String,
        /// `input` or `output`.
        side: &'static str,
    },
    /// A model has two prices.
    #[error("the price file gives `{0}` two prices: keep one")]
    Twice(String),
    /// A model has none.
    #[error(
        "the price file has no price for `{name}`: add [[price]] with model = \"{name}\" or \"{model}\", input and output"
    )]
    Missing {
        /// Its whole name.
        name: String,
        /// Its name on the server.
        model: String,
    },
    /// A limit without prices could never be reached.
    #[error("a cost limit needs a price file with the price of `{0}`")]
    LimitWithoutPrices(String),
    /// A limit that is no amount of money.
    #[error("the cost limit must be a number, 0 or more")]
    Limit,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPrices {
    currency: String,
    #[serde(default)]
    price: Vec<RawPrice>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPrice {
    model: String,
    input: f64,
    output: f64,
}

impl Prices {
    /// Reads a file's text.
    ///
    /// # Errors
    /// [`PriceError`] if it has another form, an unknown key, a price that is none, or a model twice.
    pub fn parse(text: &str) -> Result<Prices, PriceError> {
        let raw: RawPrices = toml::from_str(text).map_err(|error| PriceError::Form(error.to_string()))?;
        let mut models = BTreeMap::new();
        for RawPrice { model, input, output } in raw.price {
            for (side, number) in [("input", input), ("output", output)] {
                if !number.is_finite() || number < 0.0 {
                    return Err(PriceError::Number { model, side });
                }
            }
            if models.insert(model.clone(), Price { input, output }).is_some() {
                return Err(PriceError::Twice(model));
            }
        }
        Ok(Prices { currency: raw.currency, models })
    }

    /// The currency, as the file names it.
    #[must_use]
    pub fn currency(&self) -> &str {
        &self.currency
    }

    /// A model's price: under its whole name, else under its name on the server.
    ///
    /// # Errors
    /// [`PriceError::Missing`]: a run should not begin whose costs nobody knows.
    pub fn of(&self, server: &Server) -> Result<Price, PriceError> {
        let (name, model) = (server.name(), server.model());
        let price = self.models.get(name).or_else(|| self.models.get(model));
        price.copied().ok_or_else(|| PriceError::Missing { name: name.into(), model: model.into() })
    }
}
