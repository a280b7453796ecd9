import { ATTACHMENT_NAME_MAX } from '#shared/limits.ts';

/** @returns the name of an uploaded list without folders and without characters that cannot be seen; never empty */
export function cleanListName(sent: string): string {
  const [last = ''] = sent.toWellFormed().normalize('NFC').split(/[/\\]/).slice(-1);
  const visible = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(visible);
  // The end has the extension.
  const kept = characters.length > ATTACHMENT_NAME_MAX ? characters.slice(-ATTACHMENT_NAME_MAX) : characters;
  return kept.join('') || 'daftar';
}
