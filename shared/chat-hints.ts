import { z } from 'zod';
import type { ClientToServer } from './chat-events.ts';

/** What the server accepts as hints (contract 5). */

/** The names of the hints; whatever else a client sends is dropped unread. */
export const HINTS: ReadonlySet<unknown> = new Set<keyof ClientToServer>(['typing', 'viewing', 'delivered']);

const id = z.string().min(1).max(64);
export const typingHint = z.object({ user_id: id.optional(), typing: z.boolean() });
export const viewingHint = z.object({ user_id: id.nullable() });
export const deliveredHint = z.object({ user_id: id.optional(), up_to: z.string().regex(/^\d{1,15}$/) });
