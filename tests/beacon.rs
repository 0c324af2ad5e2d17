//! Rounds of a beacon, fetched from relays that are honest, lie, are slow or say anything else.

use crate::relay::{Beacon, Manner, Relay as Server, stopped_at};
use ground::stamp::Stamp;
use net::beacon::{Cause, FetchError, Fetcher, Patience, Relay, Round, fetch};
use post::doctor::State;
use post::doctor::relays::relays as examine;
use record::commit::beacon::Chain;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection};
use std::io::Read;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

const GENESIS: &str = "2026-11-20T09:00:00Z";
/// Round 1000 of a chain with a round every three seconds from [`GENESIS`] on.
const AT_1000: &str = "2026-11-20T09:49:57Z";

/// Long enough for a busy machine: only a relay that does not answer uses it up.
const PATIENT: Patience = Patience { connect: Duration::from_secs(30), whole: Duration::from_secs(30) };
const IMPATIENT: Patience = Patience { connect: Duration::from_millis(1500), whole: Duration::from_millis(1500) };

fn beacon() -> Beacon {
    Beacon::new(1, Stamp::parse(GENESIS).unwrap(), 3)
}

fn relays(servers: &[&Server]) -> Vec<Relay> {
    servers.iter().map(|server| Relay::read(&server.url()).unwrap()).collect()
}

/// Fetches round 1000 of a chain as the program does, and accepts only what the chain has signed.
fn fetch_1000(chain: &Chain, relays: &[Relay], patience: Patience) -> Result<Round, FetchError> {
    let accept = |found: &Round| chain.verify(found.round, &found.signature).map_err(|error| error.to_string());
    fetch(relays, &chain.hash(), 1000, patience, accept)
}

/// Asks a relay of this manner alone, and then together with an honest one, whose answer must be used. Returns what
/// was wrong with the first.
#[track_caller]
fn passed_over(manner: Manner, patience: Patience) -> Cause {
    let beacon = beacon();
    let (bad, honest) = (beacon.relay(manner, stopped_at(AT_1000)), beacon.relay(Manner::Honest, stopped_at(AT_1000)));
    let found = fetch_1000(&beacon.chain, &relays(&[&bad, &honest]), patience);
    assert_eq!(found, Ok(Round { round: 1000, signature: beacon.sign(1000).to_vec() }), "{manner:?}");
    let alone = fetch_1000(&beacon.chain, &relays(&[&bad]), patience).unwrap_err();
    // The honest relay may have answered before the other was reached.
    while bad.asked().len() < 2 {
        std::thread::yield_now();
    }
    assert_eq!(bad.asked().len(), 2, "it is asked once each time");
    let [failure] = alone.failures() else { panic!("{alone}") };
    assert_eq!(failure.url, bad.url());
    assert_eq!(matches!(alone, FetchError::NotYet { .. }), matches!(failure.cause, Cause::NotYet { .. }));
    failure.cause.clone()
}

#[test]
fn an_honest_relay_gives_the_round() {
    let beacon = beacon();
    let relay = beacon.relay(Manner::Honest, stopped_at(AT_1000));
    let found = fetch_1000(&beacon.chain, &relays(&[&relay]), PATIENT);
    assert_eq!(found, Ok(Round { round: 1000, signature: beacon.sign(1000).to_vec() }));
    assert_eq!(relay.asked(), [format!("/{}/public/1000", beacon.chain.hash())]);
}

/// All relays are asked at once: nobody waits for those that hang.
#[test]
fn a_relay_that_hangs_delays_no_other() {
    let beacon = beacon();
    let hangs = [(); 3].map(|()| beacon.relay(Manner::Silent, stopped_at(AT_1000)));
    let honest = beacon.relay(Manner::Honest, stopped_at(AT_1000));
    // Longer than any test would wait.
    let patience = Patience { connect: Duration::from_secs(3600), whole: Duration::from_secs(3600) };
    let found = fetch_1000(&beacon.chain, &relays(&[&hangs[0], &hangs[1], &hangs[2], &honest]), patience);
    assert_eq!(found, Ok(Round { round: 1000, signature: beacon.sign(1000).to_vec() }));
}

/// A caller that must not wait is told later: the round, or why it has not come; then the round is requested again.
#[test]
fn a_fetcher_keeps_nobody_waiting() {
    let beacon = beacon();
    let relay = beacon.relay(Manner::Honest, stopped_at(AT_1000));
    let lying = beacon.relay(Manner::OtherKey, stopped_at(AT_1000));
    let (come, has_come) = mpsc::channel();
    let fetcher = Fetcher::new(move || come.send(()).unwrap());
    let round = |relays: &[Relay]| {
        let chain = beacon.chain.clone();
        let accept =
            move |found: &Round| chain.verify(found.round, &found.signature).map_err(|error| error.to_string());
        fetcher.round(relays, &beacon.chain.hash(), 1000, PATIENT, accept)
    };
    assert_eq!(round(&relays(&[&lying])), None);
    let failed = loop {
        if let Some(failed) = round(&relays(&[&relay])) {
            break failed.unwrap_err();
        }
        std::thread::yield_now();
    };
    assert!(failed.to_string().contains("the chain has not signed round 1000 like this"), "{failed}");
    has_come.recv().unwrap();
    let found = round(&relays(&[&relay])).unwrap();
    assert_eq!(found, Ok(Round { round: 1000, signature: beacon.sign(1000).to_vec() }));
}

#[test]
fn the_doctor_says_which_relays_give_rounds_that_hold() {
    let beacon = beacon();
    let honest = beacon.relay(Manner::Honest, stopped_at(AT_1000));
    let lying = beacon.relay(Manner::OtherKey, stopped_at(AT_1000));
    let other = beacon.relay(Manner::Status(404), stopped_at(AT_1000));
    let mut told = Vec::new();
    let asked = relays(&[&honest, &lying, &other]);
    examine(&asked, &beacon.chain, Stamp::parse(AT_1000).unwrap(), PATIENT, &mut |finding| told.push(finding));
    let states: Vec<State> = told.iter().map(|finding| finding.state).collect();
    assert_eq!(states, [State::Well, State::Wrong, State::Wrong], "{told:#?}");
    assert!(told[0].words.contains("and its signature holds"), "{told:#?}");
    assert!(told[1].words.contains("has not signed round"), "{told:#?}");
    assert!(told[2].advice.as_ref().unwrap().contains("does not know this chain"), "{told:#?}");
}

#[test]
fn a_relay_may_stand_below_a_path() {
    let beacon = beacon();
    let server = beacon.relay(Manner::Honest, stopped_at(AT_1000));
    let below = Relay::read(&format!("{}/drand/", server.url())).unwrap();
    fetch_1000(&beacon.chain, &[below], PATIENT).unwrap_err();
    assert_eq!(server.asked(), [format!("/drand/{}/public/1000", beacon.chain.hash())]);
}

#[test]
fn a_relay_that_lies_is_passed_over() {
    let not_signed = || Cause::NotAccepted("the chain has not signed round 1000 like this".to_owned());
    assert_eq!(passed_over(Manner::OtherKey, PATIENT), not_signed());
    assert_eq!(passed_over(Manner::OldSignature, PATIENT), not_signed());
    assert_eq!(passed_over(Manner::OldRound, PATIENT), Cause::OtherRound { found: 999 });
    assert_eq!(passed_over(Manner::NextRound, PATIENT), Cause::OtherRound { found: 1001 });
}

#[test]
fn a_relay_that_says_something_else_is_passed_over() {
    assert_eq!(passed_over(Manner::Garbage, PATIENT), Cause::NoRound);
    assert_eq!(passed_over(Manner::Huge, PATIENT), Cause::TooLong);
    assert_eq!(passed_over(Manner::HangUp, PATIENT), Cause::Closed);
    assert_eq!(passed_over(Manner::Redirect, PATIENT), Cause::Redirect { status: 302 });
    for status in [400, 403, 429, 500, 503] {
        assert_eq!(passed_over(Manner::Status(status), PATIENT), Cause::Status { status });
    }
    for manner in [Manner::NoHttp, Manner::EndlessHeader] {
        let cause = passed_over(manner, PATIENT);
        assert!(matches!(cause, Cause::NoHttp(_)), "{manner:?}: {cause}");
    }
}

#[test]
fn a_relay_that_does_not_have_the_round_yet_is_passed_over() {
    for status in [404, 425] {
        assert_eq!(passed_over(Manner::Status(status), PATIENT), Cause::NotYet { status });
    }
}

#[test]
fn a_relay_that_never_answers_is_left_in_time() {
    assert_eq!(passed_over(Manner::Silent, IMPATIENT), Cause::TimedOut);
}

#[test]
fn a_relay_that_answers_byte_by_byte_is_left_in_time() {
    assert_eq!(passed_over(Manner::Drip, IMPATIENT), Cause::TimedOut);
}

#[test]
fn before_its_time_a_round_is_not_there_yet_and_later_it_is() {
    let beacon = beacon();
    let now = Arc::new(Mutex::new(Stamp::parse("2026-11-20T09:49:56Z").unwrap()));
    let clock = now.clone();
    let server = beacon.relay(Manner::Honest, Arc::new(move || *clock.lock().unwrap()));
    let early = fetch_1000(&beacon.chain, &relays(&[&server]), PATIENT).unwrap_err();
    let url = server.url();
    assert_eq!(
        early.to_string(),
        format!("round 1000 of the beacon is not there yet: {url}: it does not have the round yet (HTTP status 404)")
    );
    *now.lock().unwrap() = beacon.chain.time_of(1000).unwrap();
    assert_eq!(now.lock().unwrap().as_str(), AT_1000);
    fetch_1000(&beacon.chain, &relays(&[&server]), PATIENT).unwrap();
}

#[test]
fn if_all_fail_each_is_named_with_its_cause() {
    let beacon = beacon();
    let serve = |manner| beacon.relay(manner, stopped_at(AT_1000));
    let servers = [Manner::OtherKey, Manner::OldRound, Manner::Huge, Manner::Status(503)].map(serve);
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut relays = relays(&servers.each_ref());
    relays.push(Relay::read(&format!("http://{gone}")).unwrap());
    let error = fetch_1000(&beacon.chain, &relays, PATIENT).unwrap_err();
    assert!(matches!(error, FetchError::Failed { round: 1000, .. }));
    let [a, b, c, d] = servers.each_ref().map(Server::url);
    let words = error.to_string();
    let beginning = format!(
        "round 1000 of the beacon cannot be fetched: {a}: the chain has not signed round 1000 like this; {b}: it \
         answers with round 999; {c}: it answers with more than 4096 bytes; {d}: it has trouble (HTTP status 503); \
         http://{gone}: no connection: "
    );
    assert!(words.starts_with(&beginning), "{words}");
    let none = fetch_1000(&beacon.chain, &[], PATIENT).unwrap_err();
    assert_eq!((none.to_string().as_str(), none.failures().len()), ("no relay of the beacon is configured", 0));
}

#[test]
fn a_relay_that_recovers_is_used_again() {
    let beacon = beacon();
    let server = beacon.relay(Manner::Status(500), stopped_at(AT_1000));
    fetch_1000(&beacon.chain, &relays(&[&server]), PATIENT).unwrap_err();
    server.behave(Manner::Honest);
    fetch_1000(&beacon.chain, &relays(&[&server]), PATIENT).unwrap();
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let certificate = CertificateDer::from_pem_file("tests/smtp/server.pem").unwrap();
        let key = PrivateKeyDer::from_pem_file("tests/smtp/server.key").unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
        let mut connection = ServerConnection::new(Arc::new(config)).unwrap();
        let (mut stream, _) = listener.accept().unwrap();
        while connection.is_handshaking() && connection.complete_io(&mut stream).is_ok() {}
        let mut request = String::new();
        let _ = connection.reader().read_to_string(&mut request);
        request
    });
    let relay = Relay::read(&format!("https://localhost:{port}")).unwrap();
    let error = fetch_1000(&beacon().chain, &[relay], PATIENT).unwrap_err();
    let [failure] = error.failures() else { panic!("{error}") };
    assert!(matches!(&failure.cause, Cause::Tls(words) if words.contains("UnknownIssuer")), "{error}");
    assert_eq!(server.join().unwrap(), "", "nothing is asked of it");
}
