//! Numbers on the command line.

/// Parses `N` numbers separated by commas, such as `1.5,0,-3`.
///
/// # Errors
/// What is wrong with the text; `form` names what was expected, such as `x,y,z`.
pub fn numbers<const N: usize>(text: &str, form: &str) -> Result<[f32; N], String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != N {
        return Err(format!("expected {N} numbers, {form}, but found {}", parts.len()));
    }
    let mut values = [0.0; N];
    for (value, part) in values.iter_mut().zip(parts) {
        *value = number(part)?;
    }
    Ok(values)
}

/// Parses a finite number.
///
/// # Errors
/// The text is not a finite number.
pub fn number(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| format!("\"{text}\" is not a number"))
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
        assert_eq!(check("1,2"), "expected 3 numbers, x,y,z, but found 2");
        assert_eq!(check("1,2,"), "\"\" is not a number");
        assert_eq!(check("1,2,nan"), "\"nan\" is not a number");
        assert_eq!(check("1,2,1e99"), "\"1e99\" is not a number");
    }
}
