//! The addresses that a site lists for robots.
