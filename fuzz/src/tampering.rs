//! Documents and files, changed as the fuzzer's bytes say.

use arbitrary::{Result, Unstructured};
use serde_json::{Number, Value};

/// Numbers that are the first and last of their kinds.
const EDGES: [i64; 14] =
    [0, 1, -1, 2, 63, 64, 65, 1 << 24, 1 << 31, (1 << 32) - 1, 1 << 53, i32::MIN as i64, i64::MAX, i64::MIN];

/// Texts that some fields take, or nearly.
const TEXTS: &str =
    "|0x0p+0|-0x1p-24|0x1p+2147483647|0x1.8p-3|nearest|directed|exp(x)|1/0|even|number|2^99999|[1/3]|nan";

fn text(bytes: &mut Unstructured) -> Result<Value> {
    let texts: Vec<&str> = TEXTS.split('|').collect();
    Ok(Value::String((*bytes.choose(&texts)?).into()))
}

/// Changes a few places of a document.
pub fn document(value: &mut Value, bytes: &mut Unstructured) -> Result<()> {
    for _ in 0..bytes.int_in_range(1..=4)? {
        place(value, bytes)?;
    }
    Ok(())
}

/// Goes down to some place and changes it.
fn place(value: &mut Value, bytes: &mut Unstructured) -> Result<()> {
    match value {
        Value::Object(fields) if !fields.is_empty() && bytes.ratio(15, 16)? => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            let key = bytes.choose(&keys)?;
            if bytes.ratio(1, 24)? {
                fields.remove(key);
                return Ok(());
            }
            fields.get_mut(key).map_or(Ok(()), |inner| place(inner, bytes))
        }
        Value::Array(items) if !items.is_empty() && bytes.ratio(15, 16)? => {
            let at = bytes.choose_index(items.len())?;
            match bytes.int_in_range(0..=15)? {
                0 => drop(items.remove(at)),
                1 => items.insert(at, items[at].clone()),
                2 => {
                    let other = bytes.choose_index(items.len())?;
                    items.swap(at, other);
                }
                _ => return place(&mut items[at], bytes),
            }
            Ok(())
        }
        leaf => {
            *leaf = changed(leaf, bytes)?;
            Ok(())
        }
    }
}

/// Another value, mostly of the same kind.
fn changed(value: &Value, bytes: &mut Unstructured) -> Result<Value> {
    let same_kind = bytes.ratio(7, 8)?;
    Ok(match value {
        Value::Number(number) if same_kind => match (number.as_i64(), bytes.int_in_range(0..=3)?) {
            (Some(n), 0) => n.wrapping_add(bytes.int_in_range(-2..=2)?).into(),
            (_, 0 | 1) => (*bytes.choose(&EDGES)?).into(),
            (_, 2) => bytes.arbitrary::<u64>()?.into(),
            _ => {
                let x = number.as_f64().unwrap_or(1.0)
                    * *bytes.choose(&[0.5, 2.0, -1.0, 1e300, 1.0 + f64::EPSILON])?;
                Number::from_f64(x).map_or(Value::Null, Value::Number)
            }
        },
        Value::String(text) if same_kind && bytes.ratio(1, 2)? => {
            let mut text: Vec<char> = text.chars().collect();
            if !text.is_empty() {
                let at = bytes.choose_index(text.len())?;
                text[at] = char::from(bytes.int_in_range(32u8..=126)?);
            }
            Value::String(text.into_iter().collect())
        }
        Value::String(_) if same_kind => text(bytes)?,
        _ => match bytes.int_in_range(0..=4)? {
            0 => Value::Null,
            1 => (*bytes.choose(&EDGES)?).into(),
            2 => text(bytes)?,
            3 => Value::Array(vec![value.clone()]),
            _ => Value::Object(serde_json::Map::new()),
        },
    })
}

/// Changes a few bytes of a file, or cuts it off.
pub fn file(content: &mut Vec<u8>, bytes: &mut Unstructured) -> Result<()> {
    if bytes.ratio(1, 8)? {
        let at = bytes.choose_index(content.len() + 1)?;
        content.truncate(at);
    }
    for _ in 0..bytes.int_in_range(1..=12)? {
        if content.is_empty() {
            break;
        }
        let at = bytes.choose_index(content.len())?;
        match bytes.int_in_range(0..=3)? {
            0 => content[at] = bytes.arbitrary()?,
            1 => content[at] ^= 1 << bytes.int_in_range(0..=7)?,
            2 => content[at] = 0,
            _ => {
                // a part of the file somewhere else
                let from = bytes.choose_index(content.len())?;
                let most = (content.len() - at.max(from)).min(512);
                let part = content[from..from + most].to_vec();
                content[at..at + most].copy_from_slice(&part);
            }
        }
    }
    Ok(())
}
