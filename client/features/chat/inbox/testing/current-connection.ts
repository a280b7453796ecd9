import type { RealtimeConnection } from '#client/realtime/socket.ts';

/** The connection that the mocked `openRealtimeConnection` returns; see `vi.mock` in the tests. */
export const currentConnection: { current: RealtimeConnection | null } = { current: null };
