//! What the records are about.

/// Projects, and a fact about each that a task can ask for.
pub const TOPICS: &[(&str, &str)] = &[
    ("Roof Tiles", "the delivery is on 9 May"),
    ("Garden Tools", "the catalogue has 46 pages"),
    ("Ice Rink", "the season begins on 28 October"),
    ("Paper Mill", "the tour takes 90 minutes"),
    ("Boat Yard", "the crane is free from week 18"),
    ("Choir House", "the piano is tuned twice a year"),
    ("Stage Lights", "the lamps last 4000 hours"),
    ("Bee Keepers", "the course has twelve places"),
    ("Hill Farm", "the dairy opens at 05:40"),
    ("Brick Works", "the oven is lit on 1 March"),
    ("Glass Studio", "the samples come in five colours"),
    ("Chess Club", "the final is in the town hall"),
];
