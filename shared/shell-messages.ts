/**
 * Requests of a page to the service worker, over the port of the message, which is told whether it was done.
 * - `fill`: keep what this person needs, and mend what is missing.
 * - `activate`: the new version takes over from the one that runs.
 * - `leave`: pages of this build come from the network from now on.
 */
export type ShellRequest =
  | { type: 'fill'; build: string; area: 'first' | 'user' | 'admin' }
  | { type: 'activate' }
  | { type: 'leave'; build: string };
