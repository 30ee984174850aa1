//! Whose turn it is: hosts and addresses as tokens.
