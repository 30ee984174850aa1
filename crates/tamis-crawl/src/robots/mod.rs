//! What a site asks of robots (RFC 9309).
