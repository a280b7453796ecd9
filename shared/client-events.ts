import { z } from 'zod';
import { COLUMNS_MAX } from './limits.ts';

const id = z.string().min(1).max(64);

/** The events that a client may send, with their payloads; the server drops everything else unread (R-EVENT-7). */
export const clientEvents = {
  typing: z.object({ user_id: id.optional(), typing: z.boolean() }),
  /**
   * `user_ids`: of an admin who has several conversations open side by side. `open`: of a user, whether the own conversation is on
   * the screen of a visible page; of an admin, false while the page is hidden, so that colleagues still see the admin there but
   * messages are pushed.
   */
  viewing: z.object({
    user_id: id.nullish(),
    user_ids: z.array(id).max(COLUMNS_MAX).optional(),
    open: z.boolean().optional(),
  }),
  delivered: z.object({ user_id: id.optional(), up_to: z.string().regex(/^\d{1,15}$/) }),
};

export type ClientEventPayloads = { [E in keyof typeof clientEvents]: z.infer<(typeof clientEvents)[E]> };
