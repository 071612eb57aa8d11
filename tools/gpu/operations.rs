//! How many operations a kernel's loop takes per turn, counted in its source.
//!
//! naga reads the WGSL; functions are entered where they are called. Counted is arithmetic on words
//! of 32 bits: an addition, multiplication, shift, comparison, selection, conversion or logical
//! operation on a scalar is 1, on a vector 1 per component; a division 20; one on 64-bit integers
//! as [`wide`] says. Loads, stores, atomics, copies, and what follows from constants alone, are 0,
//! and an inner loop takes one turn. Branches make two numbers of it: *fewest*, the cheapest way
//! through, and *most*, both sides of every branch, as a subgroup takes that does not agree. What a
//! driver's compiler makes of the source is not known to it.

use naga::{
    Arena, BinaryOperator, Block, Expression, Function, Handle, Module, ScalarKind, Statement, TypeInner,
    front::wgsl,
    valid::{Capabilities, FunctionInfo, ModuleInfo, ValidationFlags, Validator},
};

/// Operations on 32-bit words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operations {
    /// by the cheapest way
    pub(crate) fewest: u64,
    /// with both sides of every branch
    pub(crate) most: u64,
}

/// 32-bit operations of one on 64-bit integers: two for what goes word by word, with the carry for
/// free; three for shifts; four products of words for a product, of which the compiler may save
/// one; 100 for a division.
const fn wide(operator: BinaryOperator) -> u64 {
    match operator {
        BinaryOperator::Multiply => 4,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => 3,
        BinaryOperator::Divide | BinaryOperator::Modulo => 100,
        _ => 2,
    }
}

/// Operations of one on 32-bit words: no GPU divides integers in one.
const fn narrow(operator: BinaryOperator) -> u64 {
    match operator {
        BinaryOperator::Divide | BinaryOperator::Modulo => 20,
        _ => 1,
    }
}

/// The operations of one turn of the last outermost loop of an entry point.
///
/// # Errors
/// What naga says of the source, or that there is no such loop.
pub(crate) fn per_turn(source: &str, entry: &str) -> Result<Operations, String> {
    let module = wgsl::parse_str(source).map_err(|error| error.emit_to_string(source))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::SHADER_INT64)
        .validate(&module)
        .map_err(|error| error.emit_to_string(source))?;
    let index = module.entry_points.iter().position(|one| one.name == entry);
    let index = index.ok_or_else(|| format!("no entry point `{entry}`"))?;
    let function = &module.entry_points[index].function;
    let is_loop = |statement: &&Statement| matches!(statement, Statement::Loop { .. });
    let Some(Statement::Loop { body, continuing, .. }) = function.body.iter().rev().find(is_loop) else {
        return Err(format!("`{entry}` has no loop"));
    };
    let counter = Counter { module: &module, info: &info };
    let here = Here { function, info: info.get_entry_point(index), constants: &[] };
    let (turn, next) = (counter.block(body, here), counter.block(continuing, here));
    let fewest = sum(cheaper(turn.on, turn.again), next.on);
    let fewest = fewest.ok_or_else(|| format!("the loop of `{entry}` never goes on"))?;
    Ok(Operations { fewest, most: turn.most + next.most })
}

/// What a block or statement costs.
#[derive(Clone, Copy)]
struct Cost {
    /// with both sides of every branch
    most: u64,
    /// the cheapest way to what follows, if there is one
    on: Option<u64>,
    /// the cheapest way to the loop's next turn by `continue`
    again: Option<u64>,
    /// the cheapest way out: of a loop, of the function
    out: Option<u64>,
}

/// The function that is looked at, and which of its arguments are constants in this call.
#[derive(Clone, Copy)]
struct Here<'a> {
    function: &'a Function,
    info: &'a FunctionInfo,
    constants: &'a [bool],
}

/// The cheaper of two ways, of which either may not exist.
fn cheaper(x: Option<u64>, y: Option<u64>) -> Option<u64> {
    x.into_iter().chain(y).min()
}

fn sum(x: Option<u64>, y: Option<u64>) -> Option<u64> {
    Some(x? + y?)
}

/// Of a block that ends nowhere: no way has been found yet.
const NOWHERE: Cost = Cost { most: 0, on: None, again: None, out: None };

impl Cost {
    /// One or the other.
    fn or(self, other: Self) -> Self {
        Self {
            most: self.most + other.most,
            on: cheaper(self.on, other.on),
            again: cheaper(self.again, other.again),
            out: cheaper(self.out, other.out),
        }
    }
}

struct Counter<'a> {
    module: &'a Module,
    info: &'a ModuleInfo,
}

impl Counter<'_> {
    fn block(&self, block: &Block, here: Here<'_>) -> Cost {
        let mut all = Cost { on: Some(0), ..NOWHERE };
        for statement in block {
            let cost = self.statement(statement, here);
            all.most += cost.most;
            all.again = cheaper(all.again, sum(all.on, cost.again));
            all.out = cheaper(all.out, sum(all.on, cost.out));
            all.on = sum(all.on, cost.on);
        }
        all
    }

    fn statement(&self, statement: &Statement, here: Here<'_>) -> Cost {
        let straight = |count| Cost { most: count, on: Some(count), ..NOWHERE };
        match statement {
            Statement::Emit(range) => {
                straight(range.clone().map(|handle| self.expression(handle, here)).sum())
            }
            Statement::Call { function, arguments, .. } => {
                let constants: Vec<bool> =
                    arguments.iter().map(|&handle| is_constant(handle, here)).collect();
                let (function, info) = (&self.module.functions[*function], &self.info[*function]);
                let cost = self.block(&function.body, Here { function, info, constants: &constants });
                Cost { most: cost.most, on: cheaper(cost.on, cost.out), ..NOWHERE }
            }
            Statement::Block(inner) => self.block(inner, here),
            Statement::If { accept, reject, .. } => self.block(accept, here).or(self.block(reject, here)),
            Statement::Switch { cases, .. } => {
                let costs = cases.iter().map(|case| self.block(&case.body, here));
                let all = costs.fold(NOWHERE, Cost::or);
                // `break` leaves the switch
                Cost { on: cheaper(all.on, all.out), out: None, ..all }
            }
            Statement::Loop { body, continuing, .. } => {
                let (turn, next) = (self.block(body, here), self.block(continuing, here));
                let whole = sum(cheaper(turn.on, turn.again), next.on);
                Cost { most: turn.most + next.most, on: cheaper(turn.out, whole), ..NOWHERE }
            }
            Statement::Continue => Cost { again: Some(0), ..NOWHERE },
            Statement::Break | Statement::Return { .. } | Statement::Kill => Cost { out: Some(0), ..NOWHERE },
            _ => straight(0),
        }
    }

    fn expression(&self, handle: Handle<Expression>, here: Here<'_>) -> u64 {
        if is_constant(handle, here) {
            return 0;
        }
        let of = |handle| self.words(handle, here);
        match here.function.expressions[handle] {
            Expression::Binary { op, left, .. } => match of(left) {
                (components, true) => components * wide(op),
                (components, false) => components * narrow(op),
            },
            Expression::Select { condition, .. } if is_constant(condition, here) => 0,
            Expression::Unary { expr: of_what, .. }
            | Expression::Select { accept: of_what, .. }
            | Expression::Relational { argument: of_what, .. }
            | Expression::Math { arg: of_what, .. }
            | Expression::As { expr: of_what, convert: Some(_), .. } => match of(of_what) {
                (components, true) => 2 * components,
                (components, false) => components,
            },
            _ => 0,
        }
    }

    /// Components, and whether they are 64-bit integers.
    fn words(&self, handle: Handle<Expression>, here: Here<'_>) -> (u64, bool) {
        let is_wide = |scalar: naga::Scalar| {
            scalar.width == 8 && matches!(scalar.kind, ScalarKind::Sint | ScalarKind::Uint)
        };
        match *here.info[handle].ty.inner_with(&self.module.types) {
            TypeInner::Scalar(scalar) => (1, is_wide(scalar)),
            TypeInner::Vector { size, scalar } => (size as u64, is_wide(scalar)),
            _ => (0, false),
        }
    }
}

/// Whether an expression's value is known before the kernel runs.
fn is_constant(handle: Handle<Expression>, here: Here<'_>) -> bool {
    let is = |handle: Handle<Expression>| is_constant(handle, here);
    let expressions: &Arena<Expression> = &here.function.expressions;
    match &expressions[handle] {
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::ZeroValue(_) => true,
        Expression::FunctionArgument(number) => {
            here.constants.get(*number as usize).copied().unwrap_or(false)
        }
        Expression::Compose { components, .. } => components.iter().all(|&one| is(one)),
        Expression::Splat { value: one, .. }
        | Expression::Swizzle { vector: one, .. }
        | Expression::AccessIndex { base: one, .. }
        | Expression::Unary { expr: one, .. }
        | Expression::As { expr: one, .. } => is(*one),
        Expression::Binary { left, right, .. } => is(*left) && is(*right),
        Expression::Select { condition, accept, reject } => is(*condition) && is(*accept) && is(*reject),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmd_shaders::{Integers, Kernel};

    /// A kernel with this loop.
    fn kernel(before: &str, turn: &str) -> Operations {
        let source = format!(
            "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n{before}\n\
             @compute @workgroup_size(1) fn kernel() {{\nvar x = data[0]; var y = data[1];\n\
             for (;;) {{\n if data[2] == 7u {{ break; }}\n{turn}\n}}\ndata[0] = x; data[1] = y;\n}}"
        );
        per_turn(&source, "kernel").unwrap_or_else(|error| panic!("{error}"))
    }

    /// Beyond the comparison before `break`.
    fn counts(before: &str, turn: &str) -> (u64, u64) {
        let Operations { fewest, most } = kernel(before, turn);
        (fewest - 1, most - 1)
    }

    #[test]
    fn operations_by_hand() {
        for (turn, fewest, most) in [
            ("", 0, 0),
            ("x = x * y + 3u;", 2, 2),
            ("x = select(x, y, x < y);", 2, 2),
            ("let v = vec2<u32>(x, y) + vec2<u32>(y, x); x = v.x;", 2, 2),
            ("x = bitcast<u32>(f32(y));", 1, 1),
            ("x += 3u * 4u;", 1, 1),
            ("x = x / y;", 20, 20),
            ("if x == y { x = x * x * x; } else { y += 1u; }", 2, 4),
            ("if x == y { x += 1u; continue; } y = y * x * x;", 2, 4),
            ("loop { x += 1u; if x == 9u { break; } y += x; }", 2, 3),
        ] {
            assert_eq!(counts("", turn), (fewest, most), "{turn}");
        }
    }

    #[test]
    fn functions_are_entered() {
        let double = "fn double(x: u32) -> u32 { return 2u * x; }";
        assert_eq!(counts(double, "x = double(double(x));"), (2, 2));
        let early = "fn early(x: u32) -> u32 { if x == 0u { return 1u; } return x * x * x; }";
        assert_eq!(counts(early, "x = early(x);"), (1, 3));
        let shift =
            "fn shift(x: u32, n: u32) -> u32 { let m = n & 31u; return select(x << m, 0u, n >= 32u); }";
        assert_eq!(counts(shift, "x = shift(x, 4u);"), (1, 1), "constants go into functions");
        assert_eq!(counts(shift, "x = shift(x, y);"), (4, 4));
    }

    #[test]
    fn wide_integers() {
        assert_eq!(counts("", "let w = u64(x) * u64(y); x = u32(w);"), (8, 8));
        assert_eq!(counts("", "let w = u64(x) + u64(y); x = u32(w);"), (6, 6));
    }

    #[test]
    fn what_cannot_be_counted_is_said() {
        assert!(per_turn("fn", "kernel").is_err());
        assert!(per_turn("@compute @workgroup_size(1) fn one() {}", "one").unwrap_err().contains("no loop"));
        assert!(per_turn("", "none").unwrap_err().contains("no entry point"));
    }

    #[test]
    fn the_walk() {
        let count = |integers| per_turn(&Kernel::Walk.source(integers), "walk").unwrap();
        let (emulated, native) = (count(Integers::Emulated), count(Integers::Native));
        assert!(native.fewest < emulated.fewest && native.most < emulated.most, "{emulated:?} {native:?}");
        for Operations { fewest, most } in [emulated, native] {
            // five products of 64 by 32 bits and five additions alone are more than 50
            assert!(50 < fewest && fewest < most && most < 4000);
        }
    }
}
