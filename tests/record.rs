//! The record: entries, chain, dice, seals, authority and verification, by us and by the second verifier.

mod attacks;
mod beacon;
mod books;
mod browsers;
mod chances;
mod clock_titles;
mod council;
mod fingerprint;
mod house;
mod needs;
mod orders;
mod orders_teams;
mod page_check;
mod receipts;
mod record_entries;
mod record_game;
mod record_games;
mod record_hostile;
mod record_samples;
mod record_table;
mod relay;
mod second;
mod second_beacon;
mod signatures_interop;
mod tamper;
mod tiny_title;
