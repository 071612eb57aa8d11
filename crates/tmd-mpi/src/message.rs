//! What ranks say to each other, in JSON as the ledger keeps it, and how they wait.
//!
//! Nobody waits in a blocking call: MPI's wait by turning in circles, which takes a core. Other
//! ranks never block in sending either, so that rank 0 may.

use std::time::Duration;

use mpi::{
    Rank,
    topology::SimpleCommunicator,
    traits::{Communicator, Destination, MatchedReceiveVec, Source},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tmd_cli::Failure;
use tmd_driver::solve::UnitResult;
use tmd_ledger::Question;

/// Time between two looks for messages: nothing beside the minutes of a unit.
pub(crate) const NAP: Duration = Duration::from_millis(1);

/// From rank 0 to another one.
#[derive(Serialize, Deserialize)]
pub(crate) enum Order {
    /// Make the plan, and say that you are ready.
    Begin { question: Box<Question>, plan_sha256: String, threads: u32 },
    /// Search the unit of this number.
    Search(usize),
    /// Leave what is not finished, and say that you are gone.
    Stop,
}

/// From another rank to rank 0.
#[derive(Serialize, Deserialize)]
pub(crate) enum Report {
    /// The plan is the same, and so many units may be searched at a time.
    Ready { units: usize },
    /// A unit was searched.
    Done { unit: usize, result: Box<UnitResult> },
    /// A unit cannot be searched.
    Failed { unit: usize, reason: String },
    /// A unit was not searched, and this rank takes no more: it was interrupted, or its machine
    /// failed for the reason.
    Retired { unit: usize, reason: Option<String> },
    /// Nothing more will come.
    Gone,
}

/// The next message that is there, and whose it is.
pub(crate) fn receive<M: DeserializeOwned>(world: &SimpleCommunicator) -> Result<Option<(Rank, M)>, Failure> {
    let Some(matched) = world.any_process().immediate_matched_probe() else { return Ok(None) };
    let (bytes, status) = matched.matched_receive_vec::<u8>();
    let rank = status.source_rank();
    let message = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::machine(format!("what rank {rank} says cannot be read: {error}")))?;
    Ok(Some((rank, message)))
}

/// Gives an order.
pub(crate) fn order(world: &SimpleCommunicator, rank: Rank, order: &Order) {
    world.process_at_rank(rank).send(&bytes(order)[..]);
}

/// Sends a report; `meanwhile` is called until it has left.
pub(crate) fn report(
    world: &SimpleCommunicator,
    report: &Report,
    mut meanwhile: impl FnMut() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let bytes = bytes(report);
    mpi::request::scope(|scope| {
        let mut request = world.process_at_rank(0).immediate_send(scope, &bytes[..]);
        let mut result = Ok(());
        while let Err(waiting) = request.test() {
            request = waiting;
            result = result.and_then(|()| meanwhile());
            std::thread::sleep(NAP);
        }
        result
    })
}

fn bytes(message: &impl Serialize) -> Vec<u8> {
    // strings and finite numbers only: serialization does not fail
    serde_json::to_vec(message).unwrap_or_default()
}
