//! Days of the proleptic Gregorian calendar, counted from 1970-01-01.
//!
//! The arithmetic is the well-known one over eras of 400 years with years that start in March.

const DAYS_PER_ERA: i64 = 146_097;
const EPOCH_SHIFT: i64 = 719_468;

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
}

// === impl Date ===

impl Date {
    /// Whether the calendar has this day.
    pub(super) fn exists(self) -> bool {
        (1..=12).contains(&self.month) && (1..=self.last_day()).contains(&self.day)
    }

    fn last_day(self) -> i64 {
        let leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        match self.month {
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => 31,
        }
    }

    /// Days since 1970-01-01.
    pub(super) fn to_days(self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month = (self.month + 9) % 12;
        let day_of_year = (153 * month + 2) / 5 + self.day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * DAYS_PER_ERA + day_of_era - EPOCH_SHIFT
    }

    /// The day that many days after 1970-01-01.
    pub(super) fn from_days(days: i64) -> Self {
        let days = days.saturating_add(EPOCH_SHIFT);
        let era = days.div_euclid(DAYS_PER_ERA);
        let day_of_era = days.rem_euclid(DAYS_PER_ERA);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / (DAYS_PER_ERA - 1)) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = era.saturating_mul(400) + year_of_era + i64::from(month <= 2);
        Self { year, month, day }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_days_both_ways() {
        // 10957: 2000-01-01 is 30 years with 7 leap days after the epoch. 0001-01-01 as protobuf documents it.
        for (date, days) in [
            (Date { year: 1970, month: 1, day: 1 }, 0),
            (Date { year: 2000, month: 1, day: 1 }, 10_957),
            (Date { year: 1, month: 1, day: 1 }, -62_135_596_800 / 86_400),
            (Date { year: 9999, month: 12, day: 31 }, 253_402_300_799 / 86_400),
        ] {
            assert_eq!(date.to_days(), days);
            assert_eq!(Date::from_days(days), date);
        }
        for days in -800_000..800_000 {
            let date = Date::from_days(days);
            assert!(date.exists());
            assert_eq!(date.to_days(), days);
        }
    }

    #[test]
    fn knows_leap_years() {
        assert!(Date { year: 2000, month: 2, day: 29 }.exists());
        assert!(!Date { year: 1900, month: 2, day: 29 }.exists());
        assert!(!Date { year: 2023, month: 2, day: 29 }.exists());
        assert!(!Date { year: 2023, month: 4, day: 31 }.exists());
        assert!(!Date { year: 2023, month: 13, day: 1 }.exists());
        assert!(!Date { year: 2023, month: 0, day: 1 }.exists());
    }
}
