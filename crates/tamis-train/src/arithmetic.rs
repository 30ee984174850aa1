//! Exponentials and logarithms by sums and products alone: those of the system's library differ in their last bit from machine to
//! machine, and one snippet drawn otherwise changes all that is drawn after it.

/// e to a power that is not positive, within a ten-thousandth where the power is above -9, as all that are drawn are.
pub(crate) fn exponential(power: f32) -> f32 {
    if power < -30.0 {
        return 0.0;
    }
    let part = power / 64.0;
    let series = 1.0 + part * (1.0 + part * (0.5 + part * (1.0 / 6.0 + part / 24.0)));
    (0..6).fold(series, |value, _| value * value)
}

/// The natural logarithm of a positive number: that of its power of two, and a series for what is left, between 1 and 2.
pub(crate) fn logarithm(number: f32) -> f32 {
    let bits = f64::from(number).to_bits();
    let power = (bits >> 52) as i32 - 1023;
    let left = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let z = (left - 1.0) / (left + 1.0);
    let square = z * z;
    let series = [13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0].iter().fold(0.0, |sum, odd| sum * square + 1.0 / odd);
    (f64::from(power) * std::f64::consts::LN_2 + 2.0 * z * series) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_near_those_of_the_library() {
        for i in 1..20_000 {
            let number = i as f32 * 0.37;
            assert!((logarithm(number) - number.ln()).abs() < 2e-6, "{number}");
            assert!((logarithm(1.0 / number) + number.ln()).abs() < 2e-6, "{number}");
            let power = i as f32 * -0.00045;
            assert!((exponential(power) / power.exp() - 1.0).abs() < 1e-4, "{power}");
        }
        assert_eq!((exponential(0.0), logarithm(1.0), exponential(-31.0)), (1.0, 0.0, 0.0));
    }
}
