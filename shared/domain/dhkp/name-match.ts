/** Names of the list compared with names of accounts: a proposal, never a decision (R-DHKP-30). */

/** The tax office's own program keeps so many characters of a name. */
const CUT_LENGTH = 30;

const TITLES = new Set(
  (
    'H HJ HAJI HAJJAH KH KYAI DR DRS DRA IR PROF ALM ALMH ALMARHUM ALMARHUMAH BPK BAPAK IBU SDR SDRI NY TN ' +
    'SH SE SPD SPDI ST SAG SIP SSOS SKOM SKM SP SPT MM MPD MH MSI MT AMD AMK'
  ).split(' '),
);

/** The words of a name in capitals, without titles and signs. */
export function nameWords(name: string): string[] {
  return name
    .normalize('NFKD')
    .toUpperCase()
    .split(/[\s,;()/]+/)
    .flatMap((word) => (TITLES.has(lettersOf(word)) ? [] : word.split('.')))
    .map(lettersOf)
    .filter((word) => word !== '' && !TITLES.has(word));
}

const lettersOf = (word: string): string => word.replaceAll(/[^\p{L}\d]/gu, '');

/** Names with the same words in any order have the same key; empty for a name without words. */
export const nameKey = (words: readonly string[]): string => words.toSorted().join(' ');

/** Whether a name of the list may be the beginning of a longer one. */
export const isPossiblyCut = (listName: string): boolean => listName.length === CUT_LENGTH;

/** Whether a name that may be cut is the beginning of another one: its last word may lack letters, and words may follow. */
export function isBeginningOf(cut: readonly string[], whole: readonly string[]): boolean {
  const last = cut.at(-1);
  if (last === undefined) return false;
  const left = [...whole];
  for (const word of cut.slice(0, -1)) {
    const index = left.indexOf(word);
    if (index === -1) return false;
    left.splice(index, 1);
  }
  return left.some((word) => word.startsWith(last));
}

/** An address for a comparison: `Jl. Melati No. 5` and `JALAN MELATI 5` are the same; empty for none. */
export function addressKey(address: string): string {
  return address
    .toUpperCase()
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .replaceAll(/\b(?:JLN|JL|JALAN|GG|GANG|NO|NOMOR|DSN|DUSUN|RT|RW)\b/g, ' ')
    .replaceAll(/\b0+(?=\d)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
