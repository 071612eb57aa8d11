//! [`Worker`]: the process that calls the library, seen from the process that tests: started again
//! whenever it dies.

use std::{
    io::{self, BufReader},
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::ExitStatusExt},
    },
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use tmd_core::Format;

use crate::{
    Death, Encoding, LibmError, Mode, Server,
    wire::{self, Answer, Call, Order},
};

/// A process, and what it loaded.
pub(crate) struct Worker<'a> {
    start: &'a Start,
    encoding: Encoding,
    child: Child,
    socket: BufReader<UnixStream>,
    /// The file of the library, and the version of glibc; empty if not known.
    pub(crate) file: String,
    pub(crate) glibc: String,
}

/// What every process is started with.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) server: Server,
    pub(crate) library: String,
    pub(crate) symbol: String,
    pub(crate) format: Format,
    /// how long nothing may be heard
    pub(crate) limit: Duration,
}

/// How many times as long as a call the start of a process and loading the library may take.
const LOADING: u32 = 6;

const SIGINT: i32 = 2;
const SIGFPE: i32 = 8;

/// What came of a call, or of its not being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Answered(Answer),
    Died(Death),
    NotMade,
}

/// Who decides whether calls in a mode go on after a death.
pub(crate) trait Patience {
    /// A process died in a call of this mode.
    fn died(&self, mode: Mode, death: Death);
    /// Whether no further call is to be made in this mode.
    fn is_over(&self, mode: Mode) -> bool;
    /// A process died or was too slow with many calls, and none of them did so again one by one.
    fn died_once(&self, death: Death);
}

impl Start {
    /// Starts a process.
    fn process(&self) -> io::Result<(Child, UnixStream)> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(&self.server.program);
        command.args(&self.server.arguments).args([&self.library, &self.symbol, &self.format.to_string()]);
        // what the library prints goes nowhere
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        Ok((command.spawn()?, ours))
    }
}

impl<'a> Worker<'a> {
    /// Starts a process and waits until the library is loaded.
    ///
    /// # Errors
    /// [`LibmError::Library`] if it cannot be, [`LibmError::Loading`] if loading it ends or never
    /// ends.
    pub(crate) fn new(start: &'a Start) -> Result<Self, LibmError> {
        let (child, socket) = start.process().map_err(LibmError::Process)?;
        // a process takes longer to start than any call
        socket.set_read_timeout(Some(LOADING * start.limit)).map_err(LibmError::Process)?;
        socket.set_write_timeout(Some(start.limit)).map_err(LibmError::Process)?;
        let encoding = Encoding::new(start.format)?;
        let (file, glibc) = (String::new(), String::new());
        let mut worker = Self { start, encoding, child, socket: BufReader::new(socket), file, glibc };
        match wire::read_hello(&mut worker.socket) {
            Ok(Ok(said)) => {
                worker.socket.get_ref().set_read_timeout(Some(start.limit)).map_err(LibmError::Process)?;
                let (file, glibc) = said.split_once('\n').unwrap_or((&said, ""));
                (worker.file, worker.glibc) = (file.into(), glibc.into());
                Ok(worker)
            }
            Ok(Err(reason)) => Err(LibmError::Library { reason }),
            Err(error) => {
                let fate = worker.death(&error)?.to_string();
                Err(LibmError::Loading { library: start.library.clone(), fate })
            }
        }
    }

    /// Gives the order for these calls, whose answers are to be had from [`finish`](Self::finish).
    pub(crate) fn begin(&mut self, calls: &[Call]) -> io::Result<()> {
        wire::write_order(self.socket.get_mut(), Order::Call, calls, self.encoding)
    }

    /// The answers to the calls that were begun, in their order. Those that end or never end are
    /// found one by one.
    pub(crate) fn finish(
        &mut self,
        begun: io::Result<()>,
        calls: &[Call],
        patience: &impl Patience,
    ) -> Result<Vec<Fate>, LibmError> {
        let answers = begun.and_then(|()| {
            calls.iter().map(|_| wire::read_answer(&mut self.socket, self.encoding)).collect()
        });
        let error = match answers {
            Ok(answers) => return Ok(Vec::into_iter(answers).map(Fate::Answered).collect()),
            Err(error) => error,
        };
        let death = self.death(&error)?;
        let mut fates = Vec::with_capacity(calls.len());
        let mut found = false;
        while fates.len() < calls.len() {
            *self = Self::new(self.start)?;
            found |= self.one_by_one(calls, &mut fates, patience)?;
        }
        // where calls were not made again, nothing is known of them
        if !found && !fates.contains(&Fate::NotMade) {
            patience.died_once(death);
        }
        Ok(fates)
    }

    /// Makes the calls that have no fate yet, until one is the last. Returns whether one was.
    fn one_by_one(
        &mut self,
        calls: &[Call],
        fates: &mut Vec<Fate>,
        patience: &impl Patience,
    ) -> Result<bool, LibmError> {
        let rest = &calls[fates.len()..];
        let made: Vec<Call> = rest.iter().copied().filter(|call| !patience.is_over(call.mode)).collect();
        let sent = wire::write_order(self.socket.get_mut(), Order::CallOneByOne, &made, self.encoding);
        let mut answered = made.iter();
        for call in rest {
            // what is over now was over when the calls were chosen, or becomes so with another
            // worker's calls
            if answered.as_slice().first() != Some(call) {
                fates.push(Fate::NotMade);
                continue;
            }
            answered.next();
            let answer = match &sent {
                Ok(()) => wire::read_answer(&mut self.socket, self.encoding),
                Err(error) => Err(io::Error::from(error.kind())),
            };
            match answer {
                Ok(answer) => fates.push(Fate::Answered(answer)),
                Err(error) => {
                    let death = self.death(&error)?;
                    patience.died(call.mode, death);
                    fates.push(Fate::Died(death));
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Thousandths of nanoseconds of a call, over calls with these arguments; none if the process
    /// dies of it.
    pub(crate) fn time(&mut self, arguments: &[u128]) -> Result<Option<u64>, LibmError> {
        let calls: Vec<Call> =
            arguments.iter().map(|&argument| Call { mode: Mode::Nearest, argument }).collect();
        let sent = wire::write_order(self.socket.get_mut(), Order::Time, &calls, self.encoding);
        match sent.and_then(|()| wire::read_time(&mut self.socket)) {
            Ok(time) => Ok(Some(time)),
            Err(error) => {
                self.death(&error)?;
                *self = Self::new(self.start)?;
                Ok(None)
            }
        }
    }

    /// What became of a process that does not answer. It is gone afterwards.
    fn death(&mut self, error: &io::Error) -> Result<Death, LibmError> {
        let is_slow = matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut);
        let status = if is_slow { None } else { self.wait().map_err(LibmError::Process)? };
        let Some(status) = status else {
            // it may end by itself just now
            let _ = self.child.kill();
            self.child.wait().map_err(LibmError::Process)?;
            return Ok(Death::Hang);
        };
        of_status(status)
    }

    /// Waits for the end of a process whose socket is closed.
    fn wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        loop {
            let status = self.child.try_wait()?;
            if status.is_some() || begun.elapsed() > self.start.limit {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn of_status(status: ExitStatus) -> Result<Death, LibmError> {
    match (status.signal(), status.code()) {
        // Ctrl-C is for all processes of a terminal
        (Some(SIGINT), _) => Err(LibmError::Interrupted),
        (Some(SIGFPE), _) => Ok(Death::Trap),
        (Some(signal), _) => Ok(Death::Crash { signal }),
        (None, code) => Ok(Death::Exit { code: code.unwrap_or_default() }),
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        // it ends by itself when the socket is closed; but a thread of the library may keep it
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_in_words() {
        let death = |raw: i32| of_status(ExitStatus::from_raw(raw));
        assert_eq!(death(11).unwrap().to_string(), "crashed with SIGSEGV");
        assert_eq!(death(8).unwrap(), Death::Trap);
        assert_eq!(death(3 << 8).unwrap().to_string(), "ended the process with exit code 3");
        assert_eq!(death(7).unwrap().to_string(), "crashed with signal 7");
        assert!(matches!(death(2), Err(LibmError::Interrupted)));
    }
}
