//! Functions that round alike on every machine.
//!
//! The standard library leaves sines, logarithms and their like to the platform, each of which rounds in its own
//! way; sums, products and square roots are the same everywhere. Crowds are chaotic: one bit becomes metres. So the
//! run time takes these, and a crowd's motion in a browser, on a phone and on a server is the same to the last bit.

/// Sine and cosine of an angle [rad].
pub(crate) fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// Tangent of an angle [rad].
pub(crate) fn tan(angle: f32) -> f32 {
    libm::tanf(angle)
}

/// Cosine of an angle [rad].
pub(crate) fn cos(angle: f32) -> f32 {
    libm::cosf(angle)
}

/// The angle whose cosine is given [rad].
pub(crate) fn acos(cosine: f32) -> f32 {
    libm::acosf(cosine)
}

/// The angle whose tangent is given [rad].
pub(crate) fn atan(tangent: f32) -> f32 {
    libm::atanf(tangent)
}

/// The angle from x towards y [rad].
pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Length of the vector (x, y), also if its square is not finite.
pub(crate) fn hypot(x: f32, y: f32) -> f32 {
    libm::hypotf(x, y)
}

/// Logarithm to base 2.
pub(crate) fn log2(value: f32) -> f32 {
    libm::log2f(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits on every machine, of angles from tiny to huge.
    #[test]
    fn bits_are_the_same_everywhere() {
        let angles = (0..4000).map(|at| (at as f32 - 2000.0) * 0.037).chain([1e-30, 1e9, -3e20]);
        let (mut sum, mut count) = (0u64, 0);
        for angle in angles {
            let (sine, cosine) = sin_cos(angle);
            let others = [tan(angle), cos(angle), acos(sine), atan(angle), atan2(sine, angle)];
            let lengths = [hypot(angle, cosine), log2(angle.abs() + 0.1), sine, cosine];
            for value in others.into_iter().chain(lengths) {
                sum = sum.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    ^ u64::from(value.to_bits());
                count += 1;
            }
        }
        assert_eq!((count, sum), (4003 * 9, 11_058_842_753_399_624_257));
    }
}
