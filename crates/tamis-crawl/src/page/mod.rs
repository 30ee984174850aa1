//! What a fetched page says to the crawler: its links, its text in short.
