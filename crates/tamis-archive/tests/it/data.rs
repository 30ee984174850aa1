//! Where the real test data lies. None of it is part of this repository.

pub(crate) use tamis_testkit::real_data as unpacked;
