import type { Link } from '#client/realtime/socket.ts';

/** What `openLink` gives in a test; see `vi.mock` there. */
export const line: { current: Link | null } = { current: null };
