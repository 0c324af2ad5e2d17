//! The post office without a server: letters in, letters out, the clock.

mod address;
mod adopt;
mod beacon_desk;
mod bounce;
mod checkpoint;
mod clock;
mod clock_random;
mod clock_year;
mod desk;
mod desk_codes;
mod desk_run;
mod house;
#[cfg(unix)]
mod later;
mod letters;
mod letters_attacks;
mod letters_desk;
mod letters_read;
mod letters_shown;
mod lobby;
mod mail_domain;
mod needs;
mod pages;
mod pictures;
mod poison;
mod register;
mod relay;
mod report;
mod report_games;
mod requests;
mod sight;
mod signatures;
mod tiny_title;
mod votes;
mod witness;
mod wotr_letters;
