//! [`serve`]: the process that loads the library and calls it, as it is told by the process that
//! tests.

use std::{
    fs,
    io::{BufReader, BufWriter, Write},
    os::{fd::AsFd, unix::net::UnixStream},
    time::Instant,
};

use tmd_core::Format;

use crate::{
    Encoding, LibmError, Mode,
    environment::{Change, control_words, flags},
    native::{Frame, Function, Slot},
    wire::{self, Answer, Call, Order},
};

/// Calls are repeated until they took this long, so that the clock's steps do not matter.
const LONG_ENOUGH_NS: u64 = 20_000_000;

/// Answers orders until nobody gives any. The standard input is a socket, and answers go there.
///
/// # Errors
/// [`LibmError::Format`]; [`LibmError::Process`] if the standard input is no socket, or breaks.
pub(crate) fn serve(library: &str, symbol: &str, format: Format) -> Result<(), LibmError> {
    let encoding = Encoding::new(format)?;
    let socket = std::io::stdin().as_fd().try_clone_to_owned().map_err(LibmError::Process)?;
    let socket = UnixStream::from(socket);
    answer_all(&socket, library, symbol, encoding).map_err(LibmError::Process)
}

fn answer_all(socket: &UnixStream, library: &str, symbol: &str, encoding: Encoding) -> std::io::Result<()> {
    let (mut input, mut output) = (BufReader::new(socket), BufWriter::new(socket));
    let function = Function::load(library, symbol);
    let said = match &function {
        Ok(function) => {
            Ok(format!("{}\n{}", path_of(function.address()), function.glibc().unwrap_or_default()))
        }
        Err(reason) => Err(reason.clone()),
    };
    wire::write_hello(&mut output, &said)?;
    let Ok(function) = function else { return Ok(()) };
    let mut calls = Vec::new();
    while let Some(order) = wire::read_order(&mut input, encoding, &mut calls)? {
        match order {
            Order::Time => wire::write_time(&mut output, time(&function, &calls, encoding))?,
            Order::Call => {
                for answer in make(&function, &calls, encoding) {
                    wire::write_answer(&mut output, &answer, encoding)?;
                }
            }
            Order::CallOneByOne => {
                for call in &calls {
                    for answer in make(&function, std::slice::from_ref(call), encoding) {
                        wire::write_answer(&mut output, &answer, encoding)?;
                    }
                    output.flush()?;
                }
            }
        }
        output.flush()?;
    }
    Ok(())
}

fn is_x87(encoding: Encoding) -> bool {
    encoding.width() == 80
}

fn frame(mode: Mode) -> Frame {
    let (mxcsr, control) = control_words(mode);
    Frame::new(mxcsr, control)
}

/// The answers to calls, in their order; those in one mode are made together.
fn make(function: &Function, calls: &[Call], encoding: Encoding) -> Vec<Answer> {
    let mut slots: Vec<Slot> =
        calls.iter().map(|call| Slot { pattern: call.argument, ..Slot::default() }).collect();
    for mode in Mode::ALL {
        let places: Vec<usize> = (0..calls.len()).filter(|&i| calls[i].mode == mode).collect();
        let mut together: Vec<Slot> = places.iter().map(|&i| slots[i]).collect();
        function.call(&mut frame(mode), &mut together, is_x87(encoding));
        for (&place, slot) in places.iter().zip(together) {
            slots[place] = slot;
        }
    }
    let answer = |(slot, call): (&Slot, &Call)| Answer {
        result: slot.pattern & (u128::MAX >> (128 - encoding.width())),
        flags: flags(slot.mxcsr, slot.status),
        change: Change::between(control_words(call.mode), (slot.mxcsr, slot.control)),
    };
    slots.iter().zip(calls).map(answer).collect()
}

/// Nanoseconds of a call, times 1000.
fn time(function: &Function, calls: &[Call], encoding: Encoding) -> u64 {
    let Some(first) = calls.first() else { return 0 };
    let slots: Vec<Slot> =
        calls.iter().map(|call| Slot { pattern: call.argument, ..Slot::default() }).collect();
    let (begun, mut rounds) = (Instant::now(), 0u64);
    loop {
        function.repeat(&mut frame(first.mode), &slots, is_x87(encoding));
        rounds += 1;
        let taken = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        if taken >= LONG_ENOUGH_NS {
            return (u128::from(taken) * 1000 / (u128::from(rounds) * slots.len() as u128)) as u64;
        }
    }
}

/// The file that an address of this process is of, where the system tells.
fn path_of(address: usize) -> String {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let file = |line: &str| {
        let (range, rest) = line.split_once(' ')?;
        let (first, end) = range.split_once('-')?;
        let [first, end] = [first, end].map(|hex| usize::from_str_radix(hex, 16).ok());
        let path = rest.find('/').map(|at| &rest[at..])?;
        (first? <= address && address < end?).then(|| path.to_owned())
    };
    maps.lines().find_map(file).unwrap_or_default()
}
