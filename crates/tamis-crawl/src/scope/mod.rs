//! Which addresses a crawl is for, and the traps it keeps out of.
