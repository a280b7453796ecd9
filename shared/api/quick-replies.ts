import { z } from 'zod';
import { OWN_REPLIES_MAX, SHARED_REPLIES_MAX, SHORTCUT_MAX, TITLE_MAX } from '../limits.ts';
import { fieldTexts } from '../texts.ts';
import { messageContent } from './chat/chat.ts';
import { singleOf } from './envelope.ts';
import { expectedUpdatedAt, flag } from './fields.ts';

/** Prepared answers of the admins. `personal`: only the admin who made it sees it; the others belong to all admins. */
export const quickReply = z
  .object({
    _id: z.string(),
    id: z.string(),
    /** The word that an admin types after '/'; in lower case. */
    shortcut: z.string(),
    title: z.string(),
    /** With variables such as {nama}, which the server fills in, and prompts {?teks}, which the admin fills in. */
    content: z.string(),
    personal: z.boolean(),
    updated_at: z.string(),
  })
  .meta({ id: 'BalasanCepat' });
export type QuickReply = z.infer<typeof quickReply>;

const shortcut = z
  .string({ error: fieldTexts.required('Singkatan') })
  .trim()
  .toLowerCase()
  .min(1, { error: fieldTexts.required('Singkatan'), abort: true })
  .max(SHORTCUT_MAX, { error: fieldTexts.tooLong('Singkatan', SHORTCUT_MAX) })
  .regex(/^[\p{L}\p{N}_-]+$/u, { error: 'Singkatan hanya boleh berisi huruf, angka, garis bawah, dan tanda hubung' });

const title = z
  .string({ error: fieldTexts.required('Judul') })
  .trim()
  .min(1, { error: fieldTexts.required('Judul'), abort: true })
  .max(TITLE_MAX, { error: fieldTexts.tooLong('Judul', TITLE_MAX) });

export const quickReplyBody = z.object({
  shortcut,
  title,
  content: messageContent('Isi balasan'),
  personal: flag.optional(),
});
export type QuickReplyBody = z.infer<typeof quickReplyBody>;
/** Without `personal` it stays shared, or one's own. */
export const updateQuickReplyBody = quickReplyBody.extend({ updated_at: expectedUpdatedAt.optional() });
export type UpdateQuickReplyBody = z.infer<typeof updateQuickReplyBody>;

export const quickReplyTexts = {
  missing: 'Balasan cepat tidak ditemukan',
  shortcutTaken: (taken: string) => `Singkatan /${taken} sudah dipakai. Pilih singkatan lain.`,
  tooManyShared: `Paling banyak ${SHARED_REPLIES_MAX} balasan bersama. Hapus yang tidak dipakai.`,
  tooManyOwn: `Paling banyak ${OWN_REPLIES_MAX} balasan milik sendiri. Hapus yang tidak dipakai.`,
} as const;

/** Shared ones and the admin's own, by shortcut. */
export const quickRepliesAnswer = singleOf(z.array(quickReply));
export const quickReplyAnswer = singleOf(quickReply);

/** `user_id`: the user of the conversation. */
export const fillBody = z.object({ user_id: z.string({ error: fieldTexts.receiverRequired }) });
export type FillBody = z.infer<typeof fillBody>;
/** `missing`: the variables and prompts that are still in the text, without their braces, each once. */
export const fillAnswer = singleOf(z.object({ text: z.string(), missing: z.array(z.string()) }));
