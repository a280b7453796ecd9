import type { RealtimeConnection } from '#client/realtime/socket.ts';

/** What `openRealtimeConnection` gives in a test; see `vi.mock` there. */
export const currentConnection: { current: RealtimeConnection | null } = { current: null };
