//! What every Power does (8.4, 8.6).
