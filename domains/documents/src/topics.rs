//! What the documents are about.

/// Projects, and a fact about each that a task can ask for.
pub const TOPICS: &[(&str, &str)] = &[
    ("Bicycle Map", "the printing starts on 3 April"),
    ("Weather Mast", "the mast is 18 metres high"),
    ("Village Hall", "the hall seats 140 people"),
    ("Water Mill", "the wheel turns again from 11 June"),
    ("Reading Week", "the opening is in the garden"),
    ("Lake Survey", "the boats leave at 07:45"),
    ("Clock Tower", "the clock is cleaned in week 32"),
    ("Night Bus", "the line has nine stops"),
    ("Herb Garden", "the beds are numbered from the gate"),
    ("Open Kitchen", "the course begins at 18:15"),
    ("Stone Quarry", "the fence is 600 metres long"),
    ("Winter Fair", "the stands open on 2 December"),
];
