//! Paired effects, scenario-cluster bootstrap and zero-event bounds.
