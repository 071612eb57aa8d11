//! What a test and the process that calls the library say to each other, over a socket.
//!
//! | who | says |
//! |---|---|
//! | the process, once | a byte (1: the library is loaded, 0: it is not), a length (u16), a text |
//! | the test | an order (a byte), a count (u32), and as many calls: a mode (a byte) and a pattern |
//! | the process, for each call | the pattern of the result, the flags (a byte), and what was changed (a byte) |
//! | the process, after timing | nanoseconds (u64) |
//!
//! Numbers are little endian; patterns have the bytes of their format. The process reads an order
//! whole before it calls anything: so it never waits for the test while the test waits for it.

use std::io::{self, Read, Write};

use crate::{Encoding, Flags, Mode, environment::Change};

/// What the process is told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Call, and answer when all calls are made.
    Call,
    /// Call, and answer after each call: so it is known which call was the last.
    CallOneByOne,
    /// Call over and over, all in the first call's mode, and say how long that took.
    Time,
}

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) mode: Mode,
    pub(crate) argument: u128,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) result: u128,
    pub(crate) flags: Flags,
    pub(crate) change: Change,
}

fn bytes<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn write_hello(output: &mut impl Write, said: &Result<String, String>) -> io::Result<()> {
    let (is_loaded, text) = match said {
        Ok(text) => (1, text),
        Err(text) => (0, text),
    };
    let text: Vec<u8> = text.bytes().take(usize::from(u16::MAX)).collect();
    output.write_all(&[is_loaded])?;
    output.write_all(&(text.len() as u16).to_le_bytes())?;
    output.write_all(&text)?;
    output.flush()
}

pub(crate) fn read_hello(input: &mut impl Read) -> io::Result<Result<String, String>> {
    let [is_loaded] = bytes(input)?;
    let mut text = vec![0; u16::from_le_bytes(bytes(input)?).into()];
    input.read_exact(&mut text)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(if is_loaded == 1 { Ok(text) } else { Err(text) })
}

/// One write.
pub(crate) fn write_order(
    output: &mut impl Write,
    order: Order,
    calls: &[Call],
    encoding: Encoding,
) -> io::Result<()> {
    let width = encoding.bytes();
    let mut message = Vec::with_capacity(5 + calls.len() * (1 + width));
    message.push(match order {
        Order::Call => 1,
        Order::CallOneByOne => 2,
        Order::Time => 3,
    });
    message.extend((calls.len() as u32).to_le_bytes());
    for call in calls {
        message.push(call.mode.index() as u8);
        message.extend(&call.argument.to_le_bytes()[..width]);
    }
    output.write_all(&message)?;
    output.flush()
}

/// The next order; none at the end of all.
pub(crate) fn read_order(
    input: &mut impl Read,
    encoding: Encoding,
    calls: &mut Vec<Call>,
) -> io::Result<Option<Order>> {
    let order = match bytes::<1>(input) {
        Ok([1]) => Order::Call,
        Ok([2]) => Order::CallOneByOne,
        Ok([3]) => Order::Time,
        Ok([other]) => return Err(io::Error::other(format!("no order is {other}"))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    };
    let count = u32::from_le_bytes(bytes(input)?);
    calls.clear();
    for _ in 0..count {
        let mut message = [0; 17];
        input.read_exact(&mut message[..=encoding.bytes()])?;
        let mode = Mode::ALL.get(usize::from(message[0])).copied();
        let mode = mode.ok_or_else(|| io::Error::other("no such mode"))?;
        let mut argument = [0; 16];
        argument.copy_from_slice(&message[1..]);
        calls.push(Call { mode, argument: u128::from_le_bytes(argument) });
    }
    Ok(Some(order))
}

pub(crate) fn write_answer(output: &mut impl Write, answer: &Answer, encoding: Encoding) -> io::Result<()> {
    let width = encoding.bytes();
    let mut message = [0; 18];
    message[..width].copy_from_slice(&answer.result.to_le_bytes()[..width]);
    message[width] = answer.flags.bits();
    message[width + 1] = answer.change.bits();
    output.write_all(&message[..width + 2])
}

pub(crate) fn read_answer(input: &mut impl Read, encoding: Encoding) -> io::Result<Answer> {
    let width = encoding.bytes();
    let mut message = [0; 18];
    input.read_exact(&mut message[..width + 2])?;
    let mut result = [0; 16];
    result[..width].copy_from_slice(&message[..width]);
    let (flags, change) = (Flags::from_bits(message[width]), Change::from_bits(message[width + 1]));
    Ok(Answer { result: u128::from_le_bytes(result), flags, change })
}

pub(crate) fn write_time(output: &mut impl Write, nanoseconds: u64) -> io::Result<()> {
    output.write_all(&nanoseconds.to_le_bytes())?;
    output.flush()
}

pub(crate) fn read_time(input: &mut impl Read) -> io::Result<u64> {
    bytes(input).map(u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_core::Format;

    #[test]
    fn what_is_said_is_understood() {
        for format in [Format::BINARY16, Format::BINARY32, Format::BINARY64, Format::X87_EXTENDED] {
            let encoding = Encoding::new(format).unwrap();
            let most = (1u128 << encoding.width()) - 1;
            let calls: Vec<Call> = Mode::ALL.iter().map(|&mode| Call { mode, argument: most / 3 }).collect();
            let mut sent = Vec::new();
            for order in [Order::Call, Order::CallOneByOne, Order::Time] {
                write_order(&mut sent, order, &calls, encoding).unwrap();
            }
            let (mut input, mut read) = (&sent[..], Vec::new());
            for order in [Order::Call, Order::CallOneByOne, Order::Time] {
                assert_eq!(read_order(&mut input, encoding, &mut read).unwrap(), Some(order));
                assert_eq!(read, calls);
            }
            assert_eq!(read_order(&mut input, encoding, &mut read).unwrap(), None);
            let answer = Answer {
                result: most,
                flags: Flags::INEXACT | Flags::INVALID,
                change: Change::between((0, 0), (0x8000, 0)),
            };
            let mut sent = Vec::new();
            write_answer(&mut sent, &answer, encoding).unwrap();
            assert_eq!(read_answer(&mut &sent[..], encoding).unwrap(), answer);
        }
        for said in [Ok("a".to_owned()), Err("b".to_owned())] {
            let mut sent = Vec::new();
            write_hello(&mut sent, &said).unwrap();
            assert_eq!(read_hello(&mut &sent[..]).unwrap(), said);
        }
        assert!(
            read_order(&mut &[9u8][..], Encoding::new(Format::BINARY16).unwrap(), &mut Vec::new()).is_err()
        );
    }
}
