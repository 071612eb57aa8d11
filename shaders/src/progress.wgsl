// What invocations tell the host beside their results: cpu/progress.rs.
struct Progress {
    flagged: atomic<u32>,
    walked: atomic<u32>,
    generated: atomic<u32>,
}
