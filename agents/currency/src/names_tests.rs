use std::sync::LazyLock;

use super::*;

static SHIPPED_DATA: LazyLock<(Rates, Names)> = LazyLock::new(|| {
    let rates = Rates::shipped().unwrap();
    let names = Names::shipped(&rates).unwrap();
    (rates, names)
});

fn shipped() -> (&'static Rates, &'static Names) {
    (&SHIPPED_DATA.0, &SHIPPED_DATA.1)
}

fn codes(text: &str) -> Vec<String> {
    let (rates, names) = shipped();
    names.find(text).iter().map(|&currency| rates.code(currency).to_owned()).collect()
}

#[test]
fn every_name_of_every_currency_finds_it_and_a_full_name_finds_it_alone() {
    let (rates, names) = shipped();
    for line in SHIPPED.lines() {
        let [code, kind, text, _locales] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let currency = rates.currency(code).unwrap();
        for spelled in [text.to_owned(), text.to_uppercase(), format!("  {} ", text.to_lowercase())] {
            let found = names.find(&spelled);
            assert!(found.contains(&currency), "{code} is not found by \"{spelled}\"");
            if matches!(kind, "label" | "name") {
                assert_eq!(found, [currency], "{spelled}");
            }
        }
    }
}

#[test]
fn every_currency_of_the_rates_is_known_by_its_code_and_has_a_label() {
    let (rates, names) = shipped();
    for currency in rates.currencies() {
        assert_eq!(names.find(rates.code(currency)), [currency]);
        assert_eq!(names.find(&rates.code(currency).to_lowercase()), [currency]);
        assert_ne!(names.about(currency).unwrap().label, rates.code(currency));
    }
}

#[test]
fn words_of_one_currency_find_it() {
    for (text, code) in [
        ("Euro", "EUR"),
        ("€", "EUR"),
        ("yen", "JPY"),
        ("EUR", "EUR"),
        ("US dollars", "USD"),
        ("U.S. Dollar", "USD"),
        ("US-Dollar", "USD"),
        ("Swiss francs", "CHF"),
        ("francs", "CHF"),
        ("rand", "ZAR"),
        ("£", "GBP"),
        ("zł", "PLN"),
        ("Polnische Złoty", "PLN"),
        ("zloty", "PLN"),
        ("Kč", "CZK"),
        ("CA$", "CAD"),
        ("dólares estadounidenses", "USD"),
        ("Schweizer Franken", "CHF"),
        ("iene", "JPY"),
        ("forints", "HUF"),
        ("yens", "JPY"),
        ("₹", "INR"),
        ("leva", "BGN"),
        ("Turkish lira", "TRY"),
        ("Turkish Lira (1922–2005)", "TRL"),
        ("turkish lira 1922-2005", "TRL"),
        ("Icelandic krona", "ISK"),
        ("  hong   kong\tdollar ", "HKD"),
        ("ＥＵＲ", "EUR"),
    ] {
        assert_eq!(codes(text), [code], "{text}");
    }
}

#[test]
fn words_that_several_share_find_them_all_in_the_files_order() {
    assert_eq!(codes("dollars"), ["USD", "AUD", "CAD", "HKD", "NZD", "SGD"]);
    assert_eq!(codes("krona"), ["SEK", "ISK"]);
    assert_eq!(codes("krónur"), ["ISK"]);
    assert_eq!(codes("kr"), ["DKK", "SEK", "ISK", "NOK"]);
    assert_eq!(codes("$"), ["USD", "AUD", "CAD", "HKD", "MXN", "NZD", "SGD"]);
    assert_eq!(codes("¥"), ["JPY", "CNY"]);
    assert_eq!(codes("peso"), ["MXN", "PHP"]);
    assert_eq!(codes("Pounds"), ["CYP", "GBP"]);
}

#[test]
fn an_unknown_word_finds_none_and_has_neighbours() {
    let (_, names) = shipped();
    for text in ["", " ", "s", "doubloons", "Taiwan dollars", "XXX", "🙂", "kilometre", "yen; drop table"] {
        assert!(names.find(text).is_empty(), "{text}");
        assert!((1..=NEAREST).contains(&names.nearest(text).len()), "{text}");
    }
    assert_eq!(names.nearest("Eurro"), ["Euro"]);
    assert_eq!(names.nearest("yeen").first().map(|text| fold(text)), Some("yen".to_owned()));
    assert_eq!(names.nearest("EURR").first(), Some(&"EUR"));
}

#[test]
fn every_neighbour_is_a_word_that_is_known() {
    let (_, names) = shipped();
    for text in ["Eurro", "pesso", "swis frank", "dolar usa"] {
        assert!(names.nearest(text).iter().all(|near| !names.find(near).is_empty()), "{text}");
    }
}

#[test]
fn a_line_that_is_no_name_is_refused() {
    let (rates, _) = shipped();
    for bad in ["EUR\tname", "XXX\tname\tx\ten", "EUR\tcolour\tx\ten"] {
        assert_eq!(Names::read(&format!("EUR\tname\tEuro\ten\n{bad}\n"), rates).unwrap_err(), BadLine(2));
    }
}

#[test]
fn the_neighbours_of_a_misspelt_name_are_few_and_begin_with_the_right_one() {
    let (rates, names) = shipped();
    for (text, code) in [
        ("swis franc", "CHF"),
        ("zlotty", "PLN"),
        ("rupeee", "INR"),
        ("US dolar", "USD"),
        ("Japenese yen", "JPY"),
        ("JPZ", "JPY"),
        ("forrint", "HUF"),
    ] {
        let nearest = names.nearest(text);
        assert_eq!(names.find(nearest[0]), [rates.currency(code).unwrap()], "{text}: {nearest:?}");
    }
}
