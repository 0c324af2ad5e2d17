//! The source: its order, its citations, and a short run of the fuzz targets.

mod amount;
mod citations;
mod citations_mail;
mod fuzz_smoke;
mod tidy;
