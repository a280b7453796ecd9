import { ATTACHMENT_NAME_MAX } from '#shared/limits.ts';
import type { AttachmentExtension } from '#server/uploads/upload-names.ts';

/** Two names of one type count as right. */
const SYNONYMS: Partial<Record<string, AttachmentExtension>> = { jpeg: 'jpg', jpe: 'jpg', jfif: 'jpg' };
/** Names that Windows keeps for devices, whatever follows the dot. */
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * The name of a file as its sender's device called it, so that it is harmless on every other one: without folders, without
 * characters that cannot be seen or turn the direction of writing, and with the extension of what the file is (R-FILE-5).
 */
export function cleanFileName(sent: string, extension: AttachmentExtension): string {
  const [last = ''] = sent.toWellFormed().normalize('NFC').split(/[/\\]/).slice(-1);
  const visible = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/\s+/g, ' ');
  const [, before = visible, found = ''] = /^(.*)\.([a-z][a-z0-9]{1,4})$/is.exec(visible.trim()) ?? [];
  const known = SYNONYMS[found.toLowerCase()] ?? found.toLowerCase();
  const ending = `.${known === extension ? found : extension}`;
  const trimmed = before.replaceAll(/^[. ]+|[. ]+$/g, '');
  const safe = DEVICE_NAME.test(trimmed.split('.', 1)[0] ?? '') ? `_${trimmed}` : trimmed;
  const base = Array.from(safe)
    .slice(0, ATTACHMENT_NAME_MAX - ending.length)
    .join('')
    .trimEnd();
  return `${base || (extension === 'pdf' ? 'dokumen' : 'foto')}${ending}`;
}
