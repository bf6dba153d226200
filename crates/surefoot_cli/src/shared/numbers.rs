//! Lists of numbers on the command line.

/// Reads `N` numbers separated by commas, as in `1.5,0,-3`.
///
/// # Errors
/// What is wrong with the text; `form` says what was expected, as `x,y,z`.
pub fn numbers<const N: usize>(text: &str, form: &str) -> Result<[f32; N], String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != N {
        return Err(format!("{} numbers where {form} are {N}", parts.len()));
    }
    let mut values = [0.0; N];
    for (value, part) in values.iter_mut().zip(parts) {
        *value = number(part)?;
    }
    Ok(values)
}

/// Reads a finite number.
///
/// # Errors
/// Text that is none.
pub fn number(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| format!("\"{text}\" is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_signs_and_spaces() {
        assert_eq!(numbers("-1, +2.5,3e1", "x,y,z"), Ok([-1.0, 2.5, 30.0]));
    }

    #[test]
    fn says_what_is_wrong() {
        let check = |text| numbers::<3>(text, "x,y,z").unwrap_err();
        assert_eq!(check("1,2"), "2 numbers where x,y,z are 3");
        assert_eq!(check("1,2,"), "\"\" is no number");
        assert_eq!(check("1,2,nan"), "\"nan\" is no number");
        assert_eq!(check("1,2,1e99"), "\"1e99\" is no number");
    }
}
