/*! What `doctor` finds out from the DNS (requirement S7): whether it can be asked, and whether the domain of the
mailbox has the records that other servers look at before they trust its letters.
*/

use super::{Finding, State};
use crate::office::config::{Config, Names};
use ground::stamp::Stamp;
use mail::letter::dkim::{self, Unsigned};
use mail::letter::mailbox::Mailbox;
use net::dns::Dns;

/// What happens to letters of a domain without such a record.
const SPAM: &str = "big providers put letters without it into the folder for spam";

/// Examines the records of the domain. Returns the DNS, if it answers.
pub fn names(config: &Config, tell: &mut dyn FnMut(Finding)) -> Option<Dns> {
    let dns = match config.names {
        Names::Off => {
            let words = "the DNS is not asked (dns: off), so no letter is accepted as DKIM-signed";
            tell(Finding::skipped("names", words, "write `dns: system` to have DKIM signatures checked"));
            return None;
        }
        Names::System => Dns::of_system(),
        Names::Server(server) => Ok(Dns::new(vec![server])),
    };
    let domain = &config.mailbox.host;
    let asked = dns.map_err(|error| error.to_string()).and_then(|dns| match dns.texts(domain) {
        Ok(texts) => Ok((dns, texts)),
        Err(later) => Err(later.0),
    });
    let (dns, texts) = match asked {
        Ok(asked) => asked,
        Err(words) => {
            let advice = "letters with a DKIM signature wait until the DNS answers: name a server that does under \
                          `dns`, or write `dns: off`";
            tell(Finding { of: "names", state: State::Wrong, words, advice: Some(advice.to_owned()) });
            return None;
        }
    };
    tell(Finding::well("names", "the DNS answers"));
    mail(domain, &texts, &dns, tell);
    Some(dns)
}

/// MX, SPF and DMARC (RFC 5321, RFC 7208, RFC 7489).
fn mail(domain: &str, texts: &[String], dns: &Dns, tell: &mut dyn FnMut(Finding)) {
    match dns.has_exchanger(domain) {
        Ok(true) => tell(Finding::well("MX", format!("{domain} says which server takes its mail"))),
        Ok(false) => tell(Finding::doubtful(
            "MX",
            format!("{domain} does not say which server takes its mail"),
            "check the spelling of the mailbox; if the domain is yours, publish an MX record",
        )),
        Err(later) => tell(Finding::doubtful("MX", later.0, "run `ringmail doctor` again later")),
    }
    let of_spf = texts.iter().filter(|text| text.starts_with("v=spf1")).count();
    match of_spf {
        1 => tell(Finding::well("SPF", format!("{domain} says who may send its mail"))),
        0 => tell(Finding::doubtful(
            "SPF",
            format!("{domain} does not say who may send its mail"),
            format!("{SPAM}: publish a TXT record such as \"v=spf1 mx -all\" that names your outgoing server"),
        )),
        _ => tell(Finding::doubtful(
            "SPF",
            format!("{domain} has {of_spf} SPF records, which is an error (RFC 7208)"),
            "leave one TXT record that begins with v=spf1",
        )),
    }
    let policy = dns.texts(&format!("_dmarc.{domain}"));
    if policy.is_ok_and(|texts| texts.iter().any(|text| text.starts_with("v=DMARC1"))) {
        tell(Finding::well("DMARC", format!("{domain} says what to do with forged letters")))
    } else {
        tell(Finding::doubtful(
            "DMARC",
            format!("{domain} has no DMARC record, which says what to do with forged letters"),
            format!("{SPAM}: publish the TXT record \"v=DMARC1; p=none\" under _dmarc.{domain}, at least"),
        ))
    }
}

/// Whether a letter of ours that has come back is signed by our domain.
pub fn signature(raw: &[u8], ours: &Mailbox, dns: &Dns, now: Stamp, tell: &mut dyn FnMut(Finding)) {
    match dkim::check(raw, &ours.host, Some(now), dns) {
        Ok(signed) => tell(Finding::well("DKIM", format!("letters go out signed by {}", signed.domain))),
        Err(Unsigned::None) => tell(Finding::doubtful(
            "DKIM",
            "letters go out unsigned, at least to ourselves",
            format!("{SPAM}: let your outgoing server sign what it sends"),
        )),
        Err(unsigned) => tell(Finding::doubtful(
            "DKIM",
            format!("the signature of our letters does not count: {unsigned}"),
            "mend the signature at the outgoing server, or the key that your domain publishes",
        )),
    }
}
