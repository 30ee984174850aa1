//! Sketches of pages, and the search among them.
