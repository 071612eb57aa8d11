//! Every operation of the shaders' 64-bit integers, both variants, against Rust's on a device.

use crate::common::{Device, POISON, RandomWords};
use tmd_shaders::Kernel;

/// What an operation must give: four words, lowest first.
type Expected = fn(u64, u64) -> [u32; 4];

const fn words(low: u64, high: u64) -> [u32; 4] {
    [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32]
}

const fn product(x: u64, y: u64) -> [u32; 4] {
    let product = x as u128 * y as u128;
    words(product as u64, (product >> 64) as u64)
}

/// The operations in the order of `integer_check.wgsl`.
const OPERATIONS: [(&str, Expected); 22] = [
    ("add", |x, y| words(x.wrapping_add(y), 0)),
    ("sub", |x, y| words(x.wrapping_sub(y), 0)),
    ("neg", |x, _| words(x.wrapping_neg(), 0)),
    ("add_carry 1", |x, y| {
        let sum = u128::from(x) + u128::from(y) + 1;
        words(sum as u64, (sum >> 64) as u64)
    }),
    ("add_carry 0", |x, y| {
        let sum = u128::from(x) + u128::from(y);
        words(sum as u64, (sum >> 64) as u64)
    }),
    ("sub_borrow 1", |x, y| words(x.wrapping_sub(y).wrapping_sub(1), u64::from(x <= y))),
    ("sub_borrow 0", |x, y| words(x.wrapping_sub(y), u64::from(x < y))),
    ("less", |x, y| words(u64::from(x < y), 0)),
    ("less_signed", |x, y| words(u64::from((x as i64) < y as i64), 0)),
    ("equal", |x, y| words(u64::from(x == y), 0)),
    ("select", |x, y| words(if y % 2 == 1 { y } else { x }, 0)),
    ("shift_left", |x, y| words(x << (y % 64), 0)),
    ("shift_right", |x, y| words(x >> (y % 64), 0)),
    ("shift_right_signed", |x, y| words(((x as i64) >> (y % 64)) as u64, 0)),
    ("leading_zeros", |x, _| words(u64::from(x.leading_zeros()), 0)),
    ("mul", product),
    ("mul_u32", |x, y| product(x, u64::from(y as u32))),
    ("u32_mul_wide", |x, y| {
        let product = u64::from(x as u32) * u64::from(y as u32);
        words(product, product >> 32)
    }),
    ("div_rem", |x, y| words(x / y, x % y)),
    ("div_rem_by_subtraction", |x, y| words(x / y, x % y)),
    ("from, low, high, one", |x, y| [1, 0, (x >> 32) as u32, y as u32]),
    ("i32_mul_wide, mul_i32", |x, y| {
        let (p, q) = (i64::from(x as i32), i64::from(y as i32));
        words((p * q) as u64, x.wrapping_mul(q as u64))
    }),
];

/// Pairs of values that matter: the corners of words and of shifts, quotients of every size and
/// next to whole ones, and random ones of every length. No second number is 0.
fn pairs() -> Vec<[u64; 2]> {
    let mut corners =
        vec![0, 1, 2, 3, 31, 32, 33, 62, 63, 64, 0xffff, 0x1_0000, 0x1_0001, u64::MAX, u64::MAX - 1];
    for bit in [15, 16, 17, 22, 23, 24, 25, 30, 31, 32, 33, 47, 48, 49, 61, 62, 63] {
        let power = 1u64 << bit;
        corners.extend([power - 1, power, power + 1, power.wrapping_neg(), power ^ u64::MAX]);
    }
    let mut pairs = Vec::new();
    for &x in &corners {
        pairs.extend(corners.iter().filter(|&&y| y != 0).map(|&y| [x, y]));
    }
    let mut random = RandomWords::new(7);
    for _ in 0..10_000 {
        let (x, y) = (random.of_any_length(), random.of_any_length().max(1));
        pairs.push([x, y]);
        pairs.push([x, x]);
        pairs.push([random.next(), random.next().max(1)]);
        // x = q·y + r with r next to 0 and to y
        let q = random.of_any_length() >> (64 - y.leading_zeros()).min(63);
        let multiple = q.wrapping_mul(y);
        pairs.extend([multiple, multiple.wrapping_sub(1), multiple.wrapping_add(1)].map(|x| [x, y]));
    }
    pairs.retain(|&[_, y]| y != 0);
    pairs
}

#[test]
fn every_operation_is_exact() {
    let pairs = pairs();
    assert!(pairs.len() >= 20_000);
    let data: Vec<[u32; 4]> = pairs.iter().map(|&[x, y]| words(x, y)).collect();
    for device in Device::both() {
        let source = device.gpu.upload("pairs", data.as_flattened()).unwrap();
        let results = device.gpu.buffer("results", 4 * data.len() as u64).unwrap();
        for (number, (name, expected)) in OPERATIONS.iter().enumerate() {
            let constants = [("OPERATION", number as f64), ("WORKGROUP", 64.0)];
            let pipeline = device.pipeline(Kernel::IntegerCheck, &constants);
            let mut batch = device.gpu.batch();
            batch.write(&results, 0, &vec![POISON; 4 * data.len()]);
            batch.dispatch(name, &pipeline, &[&source, &results], (data.len() as u32).div_ceil(64));
            let read = batch.read(&results, 0..results.len());
            let found = batch.run().unwrap().take(read).unwrap();
            for (&[x, y], found) in pairs.iter().zip(found.as_chunks::<4>().0) {
                assert_eq!(*found, expected(x, y), "{name} {:?} of {x:#x} and {y:#x}", device.integers);
            }
        }
    }
}
