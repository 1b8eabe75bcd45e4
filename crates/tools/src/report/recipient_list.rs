//! A brand's new recipient list. An administrator lists people, and each of them must confirm before reports are
//! sent. A person can unsubscribe at any time, and nobody else can undo that.

use std::{collections::BTreeSet, time::Duration};

use rand::CryptoRng;
use svc_mcp_access::{Timestamp, id};

use super::{EmailAddress, Recipient, RecipientStatus};
use crate::jobs::{JobKind, NewJob};

/// Limits the confirmation requests of a brand, so that a list cannot be used to send mass mail.
const MAX_CONFIRMATIONS_PER_DAY: usize = 100;
/// The minimum time between two confirmation requests to one person.
const CONFIRMATION_INTERVAL: Duration = Duration::from_hours(24);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the brand has sent too many confirmation requests within a day")]
pub struct TooManyConfirmationsError;

/// A person on the new list, and the email and job that ask them to confirm. The store uses these two only if the person
/// must be asked; it decides that in the transaction that stores the list.
#[derive(Debug, Clone)]
pub struct ListedRecipient {
    pub address: EmailAddress,
    pub email_id: String,
    pub job: NewJob,
}

pub fn new_recipient_list(
    wanted: &BTreeSet<EmailAddress>,
    now: Timestamp,
    random: &mut impl CryptoRng,
) -> Vec<ListedRecipient> {
    wanted
        .iter()
        .map(|address| {
            let email_id = id::fresh("mail", random);
            let job = NewJob::new(JobKind::ReportEmail, &email_id, now, random);
            ListedRecipient { address: address.clone(), email_id, job }
        })
        .collect()
}

/// Those of the new list who must be asked to confirm. `known` is everybody who was ever on the list.
pub fn people_to_ask<'a>(
    known: &[Recipient],
    wanted: &'a [ListedRecipient],
    now: Timestamp,
) -> Result<Vec<&'a ListedRecipient>, TooManyConfirmationsError> {
    let asked_recently = |recipient: &Recipient| {
        recipient.asked_at.is_some_and(|asked| asked.plus(CONFIRMATION_INTERVAL) > now)
    };
    let must_be_asked = |wanted: &&ListedRecipient| {
        known.iter().find(|recipient| recipient.address == wanted.address).is_none_or(|recipient| {
            recipient.status == RecipientStatus::Pending && !recipient.listed && !asked_recently(recipient)
        })
    };
    let to_ask: Vec<&ListedRecipient> = wanted.iter().filter(must_be_asked).collect();
    let sent_today = known.iter().filter(|recipient| asked_recently(recipient)).count();
    if !to_ask.is_empty() && sent_today + to_ask.len() > MAX_CONFIRMATIONS_PER_DAY {
        return Err(TooManyConfirmationsError);
    }
    Ok(to_ask)
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    fn address(text: &str) -> EmailAddress {
        text.parse().unwrap()
    }

    fn recipient(text: &str, status: RecipientStatus, listed: bool, asked_hours_ago: u64) -> Recipient {
        Recipient {
            address: address(text),
            status,
            listed,
            asked_at: Some(NOW.minus(Duration::from_hours(asked_hours_ago))),
            confirmed_at: None,
            suppressed_at: None,
        }
    }

    /// The people who are asked when the list becomes `wanted`.
    fn asked(known: &[Recipient], wanted: &[&str]) -> Result<Vec<String>, TooManyConfirmationsError> {
        let wanted = wanted.iter().map(|text| address(text)).collect();
        let list = new_recipient_list(&wanted, NOW, &mut StdRng::seed_from_u64(1));
        assert_eq!(list.len(), wanted.len());
        let asked = people_to_ask(known, &list, NOW)?;
        Ok(asked.into_iter().map(|person| person.address.to_string()).collect())
    }

    #[test]
    fn only_new_people_are_asked_to_confirm() {
        use RecipientStatus::{Confirmed, Pending, Suppressed};
        let known = [
            recipient("waits@a.example", Pending, true, 100),
            recipient("yes@a.example", Confirmed, true, 100),
            recipient("no@a.example", Suppressed, true, 100),
            recipient("no-and-gone@a.example", Suppressed, false, 100),
            recipient("gone-today@a.example", Pending, false, 23),
            recipient("gone@a.example", Pending, false, 25),
            recipient("yes-and-gone@a.example", Confirmed, false, 100),
        ];
        let all: Vec<&str> =
            known.iter().map(|recipient| recipient.address.as_str()).chain(["new@a.example"]).collect();
        assert_eq!(asked(&known, &all).unwrap(), ["gone@a.example", "new@a.example"]);
        assert_eq!(asked(&known, &[]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn confirmation_requests_per_day_are_limited() {
        let asked_today: Vec<Recipient> = (0..MAX_CONFIRMATIONS_PER_DAY - 1)
            .map(|number| recipient(&format!("p{number}@a.example"), RecipientStatus::Pending, false, 1))
            .collect();
        assert_eq!(asked(&asked_today, &["new@a.example"]).unwrap().len(), 1);
        assert_eq!(
            asked(&asked_today, &["new@a.example", "newer@a.example"]),
            Err(TooManyConfirmationsError)
        );
    }
}
