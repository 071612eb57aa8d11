// What the phases hand on.

// a domain that may hold a case
struct FailingDomain {
    run: u32,
    step: u32,
}

// one of its eight parts that may
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

// Lists as they are filled, by any number of invocations: the count goes on when the items are full.

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

// The same lists when nobody adds to them any more.

struct FailingDomains {
    count: u32,
    items: array<FailingDomain>,
}

struct FailingParts {
    count: u32,
    items: array<FailingPart>,
}
