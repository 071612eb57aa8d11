//! The System V ABI of x86-64: numbers in xmm0, `long double` on the stack and in st(0); MXCSR and the x87 control word.
//!
//! Rust code may not run in another floating-point environment than the default one. So the environment is set, the function called,
//! the environment read, and the former one restored within one `asm!` block.

use std::{arch::asm, mem::offset_of};

/// A call: what it gets, and what comes back.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    /// the pattern of the argument, in its low bytes
    pub(crate) argument: u128,
    /// the register or memory that the result is in; of formats below 128 bits only the low bytes mean something
    pub(crate) result: u128,
    /// MXCSR for the call, after it, and before all
    pub(crate) mxcsr: u32,
    pub(crate) mxcsr_after: u32,
    mxcsr_saved: u32,
    /// the x87 control word, likewise
    pub(crate) control: u16,
    pub(crate) control_after: u16,
    control_saved: u16,
    /// the x87 status word after the call
    pub(crate) status: u16,
    /// the stack pointer
    stack: u64,
    /// calls that are left, of [`repeat`]
    remaining: u64,
}

impl Frame {
    /// A call with this argument, MXCSR and x87 control word.
    pub(crate) fn new(argument: u128, mxcsr: u32, control: u16) -> Self {
        Self { argument, mxcsr, control, ..Self::default() }
    }
}

/// What comes before and after calls: r12 is the frame, r13 the function; whoever is called saves both, as it does r15. Below the stack
/// pointer there is room for an argument.
macro_rules! around {
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
            $($call,)*
            "stmxcsr [r12 + {mxcsr_after}]",
            "fnstcw [r12 + {control_after}]",
            "fninit",
            "fldcw [r12 + {control_saved}]",
            "ldmxcsr [r12 + {mxcsr_saved}]",
            "cld",
            "mov rsp, [r12 + {stack}]",
            mxcsr = const offset_of!(Frame, mxcsr),
            mxcsr_after = const offset_of!(Frame, mxcsr_after),
            mxcsr_saved = const offset_of!(Frame, mxcsr_saved),
            control = const offset_of!(Frame, control),
            control_after = const offset_of!(Frame, control_after),
            control_saved = const offset_of!(Frame, control_saved),
            stack = const offset_of!(Frame, stack),
            $($operand)*
            clobber_abi("sysv64"),
        )
    };
}

/// Calls the function at an address.
pub(super) fn call(address: usize, frame: &mut Frame, is_x87: bool) {
    let frame: *mut Frame = frame;
    // SAFETY: `frame` is valid and exclusively borrowed, and aligned to 16. `address` is that of a function of the C ABI that takes and
    // returns a number in xmm0; if it is not, or misbehaves, this process is there to find out (see the module above). The stack pointer
    // is restored, the called function's registers are declared, and MXCSR, the x87 control word and stack, and the direction flag are
    // left as they were found.
    if is_x87 {
        unsafe {
            around!(
                "mov rax, [r12 + {argument}]",
                "mov [rsp], rax",
                "mov rax, [r12 + {argument} + 8]",
                "mov [rsp + 8], rax",
                "call r13",
                "fnstsw [r12 + {status}]",
                "fstp tbyte ptr [r12 + {result}]",;
                argument = const offset_of!(Frame, argument),
                result = const offset_of!(Frame, result),
                status = const offset_of!(Frame, status),
                in("r12") frame,
                in("r13") address,
            );
        }
    } else {
        // SAFETY: as above.
        unsafe {
            around!(
                "movups xmm0, [r12 + {argument}]",
                "call r13",
                "movups [r12 + {result}], xmm0",
                "fnstsw [r12 + {status}]",;
                argument = const offset_of!(Frame, argument),
                result = const offset_of!(Frame, result),
                status = const offset_of!(Frame, status),
                in("r12") frame,
                in("r13") address,
            );
        }
    }
}

/// Calls the function at an address with each of the patterns once, in one environment, and forgets what comes back.
pub(crate) fn repeat(address: usize, frame: &mut Frame, arguments: &[u128], is_x87: bool) {
    frame.remaining = arguments.len() as u64;
    if arguments.is_empty() {
        return;
    }
    let (frame, first) = (std::ptr::from_mut(frame), arguments.as_ptr());
    // SAFETY: as in `call`. r15 runs over the patterns, of which there are `remaining`, at least one, 16 bytes each.
    if is_x87 {
        unsafe {
            around!(
                "2:",
                "mov rax, [r15]",
                "mov [rsp], rax",
                "mov rax, [r15 + 8]",
                "mov [rsp + 8], rax",
                "call r13",
                "fstp st(0)",
                "add r15, 16",
                "sub qword ptr [r12 + {remaining}], 1",
                "jnz 2b",;
                remaining = const offset_of!(Frame, remaining),
                in("r12") frame,
                in("r13") address,
                inout("r15") first => _,
            );
        }
    } else {
        // SAFETY: as above.
        unsafe {
            around!(
                "2:",
                "movups xmm0, [r15]",
                "call r13",
                "add r15, 16",
                "sub qword ptr [r12 + {remaining}], 1",
                "jnz 2b",;
                remaining = const offset_of!(Frame, remaining),
                in("r12") frame,
                in("r13") address,
                inout("r15") first => _,
            );
        }
    }
}
