// What the phases hand on.

// a domain that may hold a case
struct FailingDomain {
    run: u32,
    step: u32,
}

// one of its PARTS parts that may
struct FailingPart {
    run: u32,
    step: u32,
    part: u32,
}

// an argument whose value is within the window of an integer
struct Hit {
    run: u32,
    step: u32,
    // from the domain's first one
    argument: u32,
}

// In a list's count, and in the word behind the flags: an invocation was cut off.
//
// Mesa's software driver ends all loops of an invocation when they have made 65,535 rounds
// together; each loop is then left after one more round, whatever its condition says. So a kernel's
// outermost loop comes once more to its top than it has work, only to note that it got there: an
// invocation that did not may have worked with half-finished quotients. Nothing that such a list
// says may be relied on: `UNFINISHED`.

// Lists as they are filled, by any number of invocations: the count goes on when the items are
// full.

struct GrowingDomains {
    count: atomic<u32>,
    items: array<FailingDomain>,
}

struct GrowingParts {
    count: atomic<u32>,
    items: array<FailingPart>,
}

struct GrowingHits {
    count: atomic<u32>,
    items: array<Hit>,
}

// The same lists when nobody adds to them any more: the count with the bit above.

struct FailingDomains {
    count: u32,
    items: array<FailingDomain>,
}

struct FailingParts {
    count: u32,
    items: array<FailingPart>,
}
