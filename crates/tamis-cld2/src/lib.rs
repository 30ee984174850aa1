//! CLD2, the Compact Language Detector 2 by Google, built from the C++ sources in `cld2/` (the README beside them says where they are
//! from).
//!
//! The crate only links the library. `tamis-words` declares the functions of `wrapper.cc` that it calls, and names this crate with
//! `use tamis_cld2 as _` so that the linker sees the library.
