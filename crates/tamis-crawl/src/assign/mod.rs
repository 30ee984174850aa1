//! Which agent is responsible for a host.
