//! A first live mail environment.
