/** A fault whose message is the whole story for the person at the terminal; it may have several lines. */
export class CommandError extends Error {}

/** What was asked for was not understood: exit code 2, and where to read on. */
export class UsageError extends Error {}
