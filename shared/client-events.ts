import { z } from 'zod';
import type { ClientToServerEvents } from './events.ts';

/** What the server accepts as hints (contract 5). */

/** The names of the hints; whatever else a client sends is dropped unread. */
export const CLIENT_EVENTS: ReadonlySet<unknown> = new Set<keyof ClientToServerEvents>([
  'typing',
  'viewing',
  'delivered',
]);

const id = z.string().min(1).max(64);
export const typingPayload = z.object({ user_id: id.optional(), typing: z.boolean() });
export const viewingPayload = z.object({ user_id: id.nullable() });
export const deliveredPayload = z.object({ user_id: id.optional(), up_to: z.string().regex(/^\d{1,15}$/) });
