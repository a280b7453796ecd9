/** Control characters, and the marks that turn the direction of writing: they can make a name look like another one. */
const CONTROLS = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Spaces, marks without a letter, and what is drawn as nothing, such as U+200B or the empty Braille pattern. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Z}\p{C}\p{M}\u2800]/gu;

/** @returns the name on one line, without invisible characters; empty when nothing visible is left */
export function cleanName(text: string): string {
  const name = text
    .replaceAll(/[\t\n\v\f\r]+/g, ' ')
    .replaceAll(CONTROLS, '')
    .trim();
  return name.replaceAll(INVISIBLE, '') === '' ? '' : name;
}

/** Letters of other alphabets, and digits, that are read as these Latin letters. */
const LOOKALIKES: Record<string, string> = {
  '\u0430': 'a',
  '\u03B1': 'a',
  '4': 'a',
  '@': 'a',
  '\u0501': 'd',
  '\u043C': 'm',
  '\u0456': 'i',
  '\u03B9': 'i',
  '\u0131': 'i',
  '1': 'i',
  '!': 'i',
  '\u0455': 's',
  '5': 's',
  '\u0442': 't',
  '7': 't',
  '\u043E': 'o',
  '\u03BF': 'o',
  '0': 'o',
};
const LIKE_ADMIN = /^admin(?:istrator)?(?:pbb|pbbkita|kantor|desa|kelurahan)?$/;

/** Whether a name reads like that of the admins: 'Administrator', 'ADMIN', 'A d m i n', '4dm1n', 'Admin PBB'. */
export function isAdminName(name: string): boolean {
  const plain = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const read = plain.replaceAll(/./gu, (character) => LOOKALIKES[character] ?? character);
  return [plain, read].some((text) => LIKE_ADMIN.test(text.replaceAll(/[^a-z]/g, '')));
}
