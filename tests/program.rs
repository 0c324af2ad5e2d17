//! The program as a whole: its verbs, real mail servers and programs, and disks that fail.

#![cfg(unix)]

mod adopt_cli;
mod alone;
mod amount;
mod beacon_cli;
mod bounds;
mod browsers;
mod by_letter;
mod campaign;
mod check_page;
mod cli;
mod demo;
mod faults;
mod full_disk;
mod health;
mod homes;
mod house;
mod ill_will;
mod imap;
mod injected;
mod keeping;
mod letter_browser;
mod mail_domain;
mod needs;
mod package;
mod page;
mod page_browser;
mod page_composed;
mod page_looks;
mod promise;
mod promised;
mod relay;
mod repair_cli;
mod serve;
mod servers;
mod slow;
mod smtp;
mod tiny_title;
mod trace;
mod workers;
