<<<<<<< HEAD
//! The crate against real text, from outside.

mod sound_text;
=======
//! The crate against other implementations and real pages, from outside.

mod agreement;
mod entities;
mod hostile;
mod html5lib_trees;
mod page_files;
mod properties;
mod reading;
mod real_pages;
>>>>>>> oracle
