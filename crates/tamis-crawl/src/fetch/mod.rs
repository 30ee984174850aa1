//! One exchange with a server, kept byte for byte.
