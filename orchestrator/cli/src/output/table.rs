//! Lists for a person: columns as wide as their longest cell.

/// Aligns `rows` under `header`, two blanks between the columns.
pub(crate) fn render<const N: usize>(header: [&str; N], rows: &[[String; N]]) -> String {
    let mut widths = header.map(|cell| cell.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = line(&header.map(str::to_owned), &widths);
    for row in rows {
        text.push('\n');
        text.push_str(&line(row, &widths));
    }
    text
}

fn line<const N: usize>(cells: &[String; N], widths: &[usize; N]) -> String {
    let padded: Vec<String> =
        cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
    padded.join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn columns_align_by_characters_and_lines_have_no_trailing_blanks() {
        let rows = [["währung".to_owned(), "a".to_owned()], ["x".to_owned(), String::new()]];
        assert_eq!(render(["DOMAIN", "ID"], &rows), "DOMAIN   ID\nwährung  a\nx");
    }
}
