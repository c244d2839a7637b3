//! What the mails are about.

/// Projects, and a fact about each that a task can ask for.
pub const TOPICS: &[(&str, &str)] = &[
    ("Harbour Bridge", "the inspection is on 14 May at 09:00"),
    ("North Library", "the shelves arrive on 2 June"),
    ("River Park", "the planting starts on 21 March"),
    ("Town Archive", "the scanner is booked until 8 July"),
    ("Solar Roof", "the panels weigh 940 kg in total"),
    ("Museum Tour", "the tour begins at the east gate"),
    ("Tram Depot", "the depot closes at 22:30 on Fridays"),
    ("City Orchard", "the harvest day is 19 September"),
    ("Concert Hall", "the rehearsal moves to room 12"),
    ("School Kitchen", "the new oven needs three phases"),
    ("Ferry Pier", "the first ferry leaves at 06:15"),
    ("Market Square", "the stalls are numbered from the well"),
];
