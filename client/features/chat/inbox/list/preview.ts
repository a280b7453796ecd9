import type { ConversationSummary } from '#shared/api/chat.ts';

/** The line below a name; `kind` decides how it looks. */
export type PreviewText = { kind: 'message' | 'typing' | 'draft' | 'empty'; who: string | null; what: string };

type Situation = { selfId: string; typing: string | null; draft: string };

/** What matters most about a conversation right now: somebody types, an answer is begun, or what was said last and by whom. */
export function previewOf(last: ConversationSummary['last_message'], situation: Situation): PreviewText {
  if (situation.typing) return { kind: 'typing', who: null, what: situation.typing };
  if (situation.draft.trim()) return { kind: 'draft', who: 'Draf', what: situation.draft };
  if (!last) return { kind: 'empty', who: null, what: 'Belum ada pesan' };
  if (!last.from_admin) return { kind: 'message', who: null, what: last.content };
  return { kind: 'message', who: last.sender_id === situation.selfId ? 'Anda' : last.sender_name, what: last.content };
}
