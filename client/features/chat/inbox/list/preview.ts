import type { ConversationSummary } from '#shared/api/chat.ts';

/** The line below a name; `kind` decides how it looks. */
export type RowPreview = { kind: 'message' | 'typing' | 'draft' | 'empty'; author: string | null; text: string };

type RowPreviewContext = { currentUserId: string; typing: string | null; draft: string };

/** What matters most about a conversation right now: somebody types, an answer is begun, or what was said last and by whom. */
export function rowPreview(last: ConversationSummary['last_message'], context: RowPreviewContext): RowPreview {
  if (context.typing) return { kind: 'typing', author: null, text: context.typing };
  if (context.draft.trim()) return { kind: 'draft', author: 'Draf', text: context.draft };
  if (!last) return { kind: 'empty', author: null, text: 'Belum ada pesan' };
  if (!last.from_admin) return { kind: 'message', author: null, text: last.content };
  return {
    kind: 'message',
    author: last.sender_id === context.currentUserId ? 'Anda' : last.sender_name,
    text: last.content,
  };
}
