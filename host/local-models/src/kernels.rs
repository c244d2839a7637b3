//! Weights in a form for which candle has fast kernels.
//!
//! Small models of the "Q4_K_M" kind keep most weights as `Q5_0`, since their rows do not divide into blocks of 256, and
//! candle multiplies these one number at a time: it was 84 % of an answer's time. `Q8_0` has the same scale and room for the
//! same whole numbers. Where the processor multiplies bytes in groups (VNNI), there is a kernel that is faster still, for rows
//! of whole 256s; rows are filled up to that with zeros, which add nothing. No weight is rounded by either.

use candle_core::quantized::{GgmlDType, QMatMul, QStorage, QTensor};
use candle_core::{D, Device, Module, Result, Tensor};
use std::borrow::Cow;

/// Bytes of a `Q5_0` block: a scale of two, the fifth bits of 32 numbers, and their lower four.
const NARROW: usize = 2 + 4 + 16;
/// Bytes of a `Q8_0` block: a scale of two and 32 numbers.
const WIDE: usize = 2 + 32;
/// Numbers of a block of either.
const BLOCK: usize = 32;
/// Numbers of which a row must have whole multiples for the fastest kernel.
const ROW: usize = 256;

/// A product with a matrix.
pub(crate) struct Product {
    weight: QMatMul,
    /// How many zeros follow each row.
    zeros: usize,
}

impl Product {
    /// With these weights.
    pub(crate) fn new(tensor: QTensor) -> Result<Self> {
        let (tensor, zeros) = match grouped() {
            Some(_) => filled(widened(tensor)?)?,
            None => (widened(tensor)?, 0),
        };
        Ok(Product { weight: QMatMul::from_qtensor(tensor)?, zeros })
    }

    /// Of an input.
    pub(crate) fn of(&self, input: &Tensor) -> Result<Tensor> {
        match self.zeros {
            0 => self.weight.forward(input),
            zeros => self.weight.forward(&input.pad_with_zeros(D::Minus1, 0, zeros)?),
        }
    }
}

/// Which of candle's kernels are used here: they round in different ways.
pub(crate) fn kernels() -> &'static str {
    let compiled = if cfg!(target_feature = "avx2") {
        "avx2"
    } else if cfg!(target_feature = "neon") {
        "neon"
    } else {
        "portable"
    };
    grouped().unwrap_or(compiled)
}

/// The processor's instructions for bytes in groups, of which candle chooses the first that is there.
fn grouped() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni") {
            return Some("avx512vnni");
        }
        if is_x86_feature_detected!("avxvnni") && is_x86_feature_detected!("avx2") {
            return Some("avxvnni");
        }
    }
    None
}

/// The same weights; as `Q8_0` if they are `Q5_0`.
fn widened(tensor: QTensor) -> Result<QTensor> {
    if tensor.dtype() != GgmlDType::Q5_0 {
        return Ok(tensor);
    }
    let narrow = tensor.data()?;
    let mut wide = Vec::with_capacity(narrow.len() / NARROW * WIDE);
    for block in narrow.as_chunks::<NARROW>().0 {
        widen(block, &mut wide);
    }
    let storage = QStorage::from_data(Cow::Owned(wide), &Device::Cpu, GgmlDType::Q8_0)?;
    QTensor::new(storage, tensor.shape().clone())
}

fn widen(block: &[u8; NARROW], wide: &mut Vec<u8>) {
    let [scale, other, a, b, c, d, low @ ..] = block;
    let fifth = u32::from_le_bytes([*a, *b, *c, *d]);
    wide.extend([*scale, *other]);
    // The first 16 numbers are in the lower halves of the bytes, the others in the upper ones. Numbers count from -16.
    let number = |four: u8, place: u32| (four | u8::from(fifth >> place & 1 == 1) << 4).wrapping_sub(16);
    wide.extend((0_u32..).zip(low).map(|(place, byte)| number(byte & 15, place)));
    wide.extend((16_u32..).zip(low).map(|(place, byte)| number(byte >> 4, place)));
}

/// The same weights, and how many zeros follow each row: `Q8_0` has whole multiples of [`ROW`] in a row.
fn filled(tensor: QTensor) -> Result<(QTensor, usize)> {
    let (rows, length) = tensor.shape().dims2()?;
    let zeros = length.next_multiple_of(ROW) - length;
    if tensor.dtype() != GgmlDType::Q8_0 || zeros == 0 || !length.is_multiple_of(BLOCK) {
        return Ok((tensor, 0));
    }
    let data = tensor.data()?;
    let (row, rest) = (length / BLOCK * WIDE, zeros / BLOCK * WIDE);
    let mut all = Vec::with_capacity(rows * (row + rest));
    for row in data.chunks_exact(row) {
        all.extend_from_slice(row);
        all.resize(all.len() + rest, 0);
    }
    let storage = QStorage::from_data(Cow::Owned(all), &Device::Cpu, GgmlDType::Q8_0)?;
    Ok((QTensor::new(storage, (rows, length + zeros))?, zeros))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(rows: usize, length: usize) -> Tensor {
        let numbers = (0..rows * length).map(|n| (n as f32 * 0.37).sin() * (n % 7) as f32);
        Tensor::from_iter(numbers, &Device::Cpu).unwrap().reshape((rows, length)).unwrap()
    }

    fn values(tensor: &QTensor) -> Vec<Vec<f32>> {
        tensor.dequantize(&Device::Cpu).unwrap().to_vec2().unwrap()
    }

    #[test]
    fn every_weight_has_the_same_value_when_it_is_wider() {
        let narrow = QTensor::quantize(&tensor(4, 1024), GgmlDType::Q5_0).unwrap();
        let before = values(&narrow);
        let wide = widened(narrow).unwrap();
        assert_eq!(wide.dtype(), GgmlDType::Q8_0);
        assert_eq!(values(&wide), before);
        assert!(before.concat().iter().any(|value| *value < -1.0) && before.concat().iter().any(|value| *value > 1.0));
    }

    #[test]
    fn rows_are_filled_up_with_zeros() {
        let short = QTensor::quantize(&tensor(3, 896), GgmlDType::Q8_0).unwrap();
        let before = values(&short);
        let (long, zeros) = filled(short).unwrap();
        assert_eq!(zeros, 128);
        for (long, mut short) in values(&long).into_iter().zip(before) {
            short.resize(1024, 0.0);
            assert_eq!(long, short);
        }
    }

    #[test]
    fn other_kinds_stay_as_they_are() {
        for kind in [GgmlDType::Q4_1, GgmlDType::Q6K, GgmlDType::F16] {
            let (same, zeros) = filled(widened(QTensor::quantize(&tensor(1, 256), kind).unwrap()).unwrap()).unwrap();
            assert_eq!((same.dtype(), zeros), (kind, 0));
        }
    }

    #[test]
    fn a_product_is_that_of_the_weights_that_were_given() {
        let (weights, input) = (tensor(16, 896), tensor(2, 896));
        let narrow = QTensor::quantize(&weights, GgmlDType::Q5_0).unwrap();
        let exact = input.matmul(&narrow.dequantize(&Device::Cpu).unwrap().t().unwrap()).unwrap();
        let found = Product::new(narrow).unwrap().of(&input).unwrap();
        let scale = exact.abs().unwrap().max_all().unwrap().to_scalar::<f32>().unwrap();
        let apart = (found - exact).unwrap().abs().unwrap().max_all().unwrap().to_scalar::<f32>().unwrap();
        // The input is rounded to bytes by all kernels.
        assert!(apart < 0.02 * scale, "{apart} of {scale}");
    }
}
