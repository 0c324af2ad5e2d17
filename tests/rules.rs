//! The rules of both titles: their scenarios, their cards, their chances, and whole games at random.

mod ahead;
mod amount;
mod composed;
mod positions;
mod printed;
mod random;
mod risk_bot;
mod rulebook;
mod scenarios;
mod tactics;
mod watched;
mod wotr_battles;
mod wotr_bot;
mod wotr_cards;
mod wotr_events;
mod wotr_odds;
mod wotr_seats;
