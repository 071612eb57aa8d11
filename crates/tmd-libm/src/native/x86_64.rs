//! The System V ABI of x86-64: numbers in xmm0, `long double` on the stack and in st(0); MXCSR and
//! the x87 control word.
//!
//! Rust code may not run in another floating-point environment than the default one. So the
//! environment is set, the function called, the environment read, and the former one restored
//! within one `asm!` block.

use std::{arch::asm, mem::offset_of};

/// A call: what it gets, and what comes back.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    /// The pattern of the argument, in its low bytes; afterwards the result's. The bytes beyond the
    /// format's mean nothing then.
    pub(crate) pattern: u128,
    /// MXCSR after the call
    pub(crate) mxcsr: u32,
    /// the x87 control word after it
    pub(crate) control: u16,
    /// the x87 status word after it
    pub(crate) status: u16,
}

/// The environment of calls.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    /// MXCSR, and the x87 control word
    mxcsr: u32,
    control: u16,
    /// what they were before all
    control_saved: u16,
    mxcsr_saved: u32,
    /// the stack pointer
    stack: u64,
    /// calls that are left
    remaining: u64,
}

impl Frame {
    /// Calls with this MXCSR and x87 control word.
    pub(crate) fn new(mxcsr: u32, control: u16) -> Self {
        Self { mxcsr, control, ..Self::default() }
    }
}

/// What comes before and after calls: r12 is the frame, r13 the function, r15 runs over the slots.
/// Whoever is called saves them. Below the stack pointer there is room for an argument.
macro_rules! for_each {
    ($($call:literal,)*; $($operand:tt)*) => {
        asm!(
            "stmxcsr [r12 + {mxcsr_saved}]",
            "fnstcw [r12 + {control_saved}]",
            "mov [r12 + {stack}], rsp",
            "and rsp, -16",
            "sub rsp, 32",
            "fninit",
            "fldcw [r12 + {control}]",
            "ldmxcsr [r12 + {mxcsr}]",
            "2:",
            $($call,)*
            "add r15, {size}",
            "sub qword ptr [r12 + {remaining}], 1",
            "jnz 2b",
            "fninit",
            "fldcw [r12 + {control_saved}]",
            "ldmxcsr [r12 + {mxcsr_saved}]",
            "cld",
            "mov rsp, [r12 + {stack}]",
            mxcsr = const offset_of!(Frame, mxcsr),
            mxcsr_saved = const offset_of!(Frame, mxcsr_saved),
            control = const offset_of!(Frame, control),
            control_saved = const offset_of!(Frame, control_saved),
            stack = const offset_of!(Frame, stack),
            remaining = const offset_of!(Frame, remaining),
            size = const size_of::<Slot>(),
            $($operand)*
            clobber_abi("sysv64"),
        )
    };
}

/// Calls the function at an address with each of the patterns, and writes what comes back in their
/// place. Each call finds the same environment: what one changed is set again, and its flags are
/// cleared.
pub(super) fn call(address: usize, frame: &mut Frame, slots: &mut [Slot], is_x87: bool) {
    frame.remaining = slots.len() as u64;
    if slots.is_empty() {
        return;
    }
    let (frame, first) = (std::ptr::from_mut(frame), slots.as_mut_ptr());
    // SAFETY: `frame` and `slots` are valid and exclusively borrowed, and there are `remaining`
    // slots, at least one. `address` is that of a function of the C ABI that takes and returns a
    // number; if it is not, or misbehaves, this process is there to find out (see the module
    // above). The stack pointer is restored, the called function's registers and those used here
    // are declared, and MXCSR, the x87 control word and stack, and the direction flag are left as
    // they were found.
    if is_x87 {
        unsafe {
            for_each!(
                "mov rax, [r15]",
                "mov [rsp], rax",
                "mov rax, [r15 + 8]",
                "mov [rsp + 8], rax",
                "call r13",
                "fnstsw [r15 + {status}]",
                "fstp tbyte ptr [r15]",
                "stmxcsr [r15 + {after}]",
                "fnstcw [r15 + {control_after}]",
                "fninit",
                "fldcw [r12 + {control}]",
                "ldmxcsr [r12 + {mxcsr}]",;
                after = const offset_of!(Slot, mxcsr),
                control_after = const offset_of!(Slot, control),
                status = const offset_of!(Slot, status),
                in("r12") frame,
                in("r13") address,
                inout("r15") first => _,
            );
        }
    } else {
        // SAFETY: as above.
        unsafe {
            for_each!(
                "movups xmm0, [r15]",
                "call r13",
                "movups [r15], xmm0",
                "stmxcsr [r15 + {after}]",
                "fnstcw [r15 + {control_after}]",
                "fnstsw [r15 + {status}]",
                // x87 was seldom used: its initialization takes longer than many a function
                "movzx eax, word ptr [r15 + {control_after}]",
                "xor ax, [r12 + {control}]",
                "or ax, [r15 + {status}]",
                "jz 3f",
                "fninit",
                "fldcw [r12 + {control}]",
                "3:",
                "ldmxcsr [r12 + {mxcsr}]",;
                after = const offset_of!(Slot, mxcsr),
                control_after = const offset_of!(Slot, control),
                status = const offset_of!(Slot, status),
                in("r12") frame,
                in("r13") address,
                inout("r15") first => _,
            );
        }
    }
}

/// Calls the function at an address with each of the patterns, all in one environment, and forgets
/// what comes back.
pub(super) fn repeat(address: usize, frame: &mut Frame, slots: &[Slot], is_x87: bool) {
    frame.remaining = slots.len() as u64;
    if slots.is_empty() {
        return;
    }
    let (frame, first) = (std::ptr::from_mut(frame), slots.as_ptr());
    // SAFETY: as in `call`; the slots are only read.
    if is_x87 {
        unsafe {
            for_each!(
                "mov rax, [r15]",
                "mov [rsp], rax",
                "mov rax, [r15 + 8]",
                "mov [rsp + 8], rax",
                "call r13",
                "fstp st(0)",;
                in("r12") frame,
                in("r13") address,
                inout("r15") first => _,
            );
        }
    } else {
        // SAFETY: as above.
        unsafe {
            for_each!(
                "movups xmm0, [r15]",
                "call r13",;
                in("r12") frame,
                in("r13") address,
                inout("r15") first => _,
            );
        }
    }
}
