//! Asks a model for one action, twice, and says whether the answers are the same and how fast they came:
//! `ask WEIGHTS.gguf [SCHEMA-ANSWERS]`.

fn main() {}
