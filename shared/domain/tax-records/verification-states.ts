/** Whether the office has checked what a user reported (R-CHECK-2); `none`: nothing was reported and nothing was checked. */
export const VERIFICATION_STATES = ['none', 'pending', 'matched', 'rejected', 'outdated'] as const;
export type VerificationState = (typeof VERIFICATION_STATES)[number];

/** The states by which lists filter; `matched_unpaid`: matched although the record is not paid (R-CHECK-51). */
export const VERIFICATION_FILTERS = [...VERIFICATION_STATES, 'matched_unpaid'] as const;
export type VerificationFilter = (typeof VERIFICATION_FILTERS)[number];
