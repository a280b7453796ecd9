/** An expected error: its message is all that the user at the terminal needs. The message may have several lines. */
export class CommandError extends Error {}

/** The command line was not understood: exit code 2, with a reference to `help`. */
export class UsageError extends Error {}
