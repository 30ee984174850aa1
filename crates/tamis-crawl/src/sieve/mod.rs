//! Every address leaves it once and only once, in the order of discovery.
