//! JSON with a line for each field of the document and for each element of its lists: short, and
//! still for people to read.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// The document as text.
pub(super) fn to_json<T: Serialize>(document: &T) -> String {
    let mut text = Vec::new();
    // strings and numbers only, into memory: nothing fails
    let written = document.serialize(&mut Serializer::with_formatter(&mut text, Lines::default()));
    debug_assert!(written.is_ok());
    text.push(b'\n');
    String::from_utf8(text).unwrap_or_default()
}

/// Breaks lines in the document itself and in its lists, and not within their elements.
#[derive(Default)]
struct Lines {
    depth: usize,
}

/// The document's fields are at depth 1, the elements of its lists at depth 2.
const DEEPEST: usize = 2;

impl Lines {
    fn begin<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        writer.write_all(bracket)
    }

    fn end<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        writer.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&self, writer: &mut W, first: bool, deepest: usize) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        if self.depth <= deepest { writer.write_all(b"\n") } else { Ok(()) }
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }
    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first, DEEPEST)
    }
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }
    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first, DEEPEST - 1)
    }
}
