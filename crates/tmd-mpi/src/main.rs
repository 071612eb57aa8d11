//! `tmd-mpi`: a run of `tmd solve` spread over the ranks of an MPI job,
//! `mpirun -n 8 tmd-mpi solve exp --run DIR`.
//!
//! Rank 0 holds the ledger and hands out units ([`coordinator`]); the others search them and send
//! results back ([`worker`]), in messages ([`message`]). The results are those of `tmd solve`, and
//! so is the certificate, bit by bit. A rank that is killed ends an MPI job: `tmd-mpi resume DIR`
//! or `tmd resume DIR` goes on, and searches again what was in work at that moment, at most.
//!
//! Exit codes are those of `tmd`.
#![forbid(unsafe_code)]

mod coordinator;
mod message;
mod worker;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
};

use mpi::{Threading, traits::Communicator};

fn main() -> ExitCode {
    tmd_cli::expect_limits();
    // only the main thread of a rank speaks to the others
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("tmd-mpi: MPI cannot be initialized; start it by mpirun or srun");
        return ExitCode::FAILURE;
    };
    let world = universe.world();
    let rank = world.rank();
    // a rank that ends without a word would let the others wait for ever
    let ended = catch_unwind(AssertUnwindSafe(|| {
        if rank == 0 { coordinator::run(&world) } else { worker::run(&world) }
    }));
    ended.unwrap_or_else(|_| world.abort(1))
}
