//! Who gets a brand's reports. An administrator lists people; each of them says yes before anything but that question
//! is sent, and can say no at any time. Nobody else can turn that no into a yes.

use std::{collections::BTreeSet, str::FromStr, time::Duration};

use rand::CryptoRng;
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Timestamp, id};

use super::{Address, Ask, ReportChange};
use crate::{
    Change,
    jobs::{JobKind, NewJob},
};

pub const MOST_RECIPIENTS: usize = 50;
/// So many questions may be asked in a brand's name within a day: nobody floods strangers through a list.
const QUESTIONS_A_DAY: usize = 100;
/// One person is asked at most this often.
const ASKED_AGAIN_AFTER: Duration = Duration::from_hours(24);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    pub address: Address,
    pub status: RecipientStatus,
    /// Whether the brand's list has it. One that was taken off is remembered: what the person said stays true.
    pub listed: bool,
    pub asked_at: Option<Timestamp>,
    pub confirmed_at: Option<Timestamp>,
    pub suppressed_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecipientStatus {
    /// Asked, and has not answered yet.
    Pending,
    /// Wants the reports.
    Confirmed,
    /// Does not want them any more. Only the person can change that.
    Suppressed,
}

impl RecipientStatus {
    pub const ALL: [Self; 3] = [Self::Pending, Self::Confirmed, Self::Suppressed];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Confirmed => "confirmed",
            Self::Suppressed => "suppressed",
        }
    }
}

impl FromStr for RecipientStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(())
    }
}

impl Recipient {
    pub fn gets_reports(&self) -> bool {
        self.listed && self.status == RecipientStatus::Confirmed
    }

    pub fn may_be_asked(&self) -> bool {
        self.listed && self.status == RecipientStatus::Pending
    }
}

/// More people would have to be asked than may be in a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyQuestions;

/// What makes a list the brand's list.
#[derive(Debug)]
pub struct Listing {
    pub changes: Vec<Change>,
    /// How many people are asked.
    pub questions: usize,
}

/// `known` is everybody the brand ever listed.
pub fn listing_changes(
    known: &[Recipient],
    wanted: &BTreeSet<Address>,
    now: Timestamp,
    random: &mut impl CryptoRng,
) -> Result<Listing, TooManyQuestions> {
    let lately =
        |recipient: &Recipient| recipient.asked_at.is_some_and(|asked| asked.plus(ASKED_AGAIN_AFTER) > now);
    let is_to_be_asked = |address: &&Address| {
        known.iter().find(|recipient| recipient.address == **address).is_none_or(|recipient| {
            recipient.status == RecipientStatus::Pending && !recipient.listed && !lately(recipient)
        })
    };
    let asks: Vec<Ask> = wanted
        .iter()
        .filter(is_to_be_asked)
        .map(|address| Ask { email_id: id::fresh("mail", random), address: address.clone() })
        .collect();
    let asked_lately = known.iter().filter(|recipient| lately(recipient)).count();
    if !asks.is_empty() && asked_lately + asks.len() > QUESTIONS_A_DAY {
        return Err(TooManyQuestions);
    }
    let questions = asks.len();
    let jobs: Vec<Change> = asks
        .iter()
        .map(|ask| Change::AddJob(NewJob::new(JobKind::ReportEmail, &ask.email_id, now, random)))
        .collect();
    let listed = ReportChange::List { addresses: wanted.iter().cloned().collect(), asks };
    let changes = std::iter::once(Change::Reports(listed)).chain(jobs).collect();
    Ok(Listing { changes, questions })
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    fn address(text: &str) -> Address {
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

    /// Who is asked when these are put on the list.
    fn asked(known: &[Recipient], wanted: &[&str]) -> Result<Vec<String>, TooManyQuestions> {
        let wanted = wanted.iter().map(|text| address(text)).collect();
        let listing = listing_changes(known, &wanted, NOW, &mut StdRng::seed_from_u64(1))?;
        let Change::Reports(ReportChange::List { addresses, asks }) = &listing.changes[0] else {
            panic!("the list comes first");
        };
        assert_eq!(addresses.len(), wanted.len());
        assert_eq!((listing.changes.len() - 1, listing.questions), (asks.len(), asks.len()));
        Ok(asks.iter().map(|ask| ask.address.to_string()).collect())
    }

    #[test]
    fn only_who_is_new_is_asked() {
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
    fn nobody_floods_strangers_through_a_list() {
        let asked_today: Vec<Recipient> = (0..QUESTIONS_A_DAY - 1)
            .map(|number| recipient(&format!("p{number}@a.example"), RecipientStatus::Pending, false, 1))
            .collect();
        assert_eq!(asked(&asked_today, &["new@a.example"]).unwrap().len(), 1);
        assert_eq!(asked(&asked_today, &["new@a.example", "newer@a.example"]), Err(TooManyQuestions));
    }
}
