import { api } from '#client/lib/api.ts';
import type { MessageSearchResult } from '#shared/api/inbox.ts';

/** A page of found messages, newest first. */
export type FoundPage = { data: MessageSearchResult[]; has_more: boolean; indexed_percent: number };

type Query = { q: string; before?: string; user_id?: string };

/** All conversations, or the one of `user_id`; for admins. */
export const searchAllMessages = (query: Query, signal: AbortSignal): Promise<FoundPage> =>
  api.get('/admin/messages/search', { query, signal });

/** The own conversation of a user. */
export const searchOwnMessages = ({ q, before }: Query, signal: AbortSignal): Promise<FoundPage> =>
  api.get('/messages/search', { query: { q, ...(before === undefined ? {} : { before }) }, signal });
