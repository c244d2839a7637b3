//! The four classic AgentDojo suites as a domain for recorded runs.
