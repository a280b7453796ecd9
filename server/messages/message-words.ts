/**
 * Words as the search compares them: letter case and diacritics do not count. The same division as that of the index
 * (`message_words`), so that a text can be compared without it; `message-words.test.ts` compares the two.
 */
export type Word = { text: string; from: number; to: number };

const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{Co}]/u;
/** FTS5 counts characters that do not exist yet as letters, except where migration 0009 makes room for emojis. */
const UNKNOWN = /\p{Cn}/u;
const EMOJIS = { first: 0x1_f0_00, last: 0x1_fa_ff };

const LATIN_WITH_MARKS = /^[a-z]\p{M}+$/iu;
/** Accents that stand behind their letter as a character of their own. */
const ACCENT = /[\u0300-\u0304\u0306-\u030C\u030F\u0311\u031B\u0323-\u0328\u032D\u032E\u0330\u0331]/;

/** FTS5 keeps these apart from the letters that they would become. */
const KEPT_LETTERS = new Map([
  ['ı', 'ı'],
  ['Ǡ', 'ǡ'],
  ['ǡ', 'ǡ'],
]);

/** The characters of a message are few; each is classified once. Null: it separates words. */
const known = new Map<number, string | null>();
const KNOWN_MAX = 20_000;

function classify(code: number): string | null {
  const character = String.fromCodePoint(code);
  if (ACCENT.test(character)) return '';
  const isPart =
    LETTER_OR_DIGIT.test(character) || (UNKNOWN.test(character) && (code < EMOJIS.first || code > EMOJIS.last));
  if (!isPart) return null;
  const kept = KEPT_LETTERS.get(character);
  if (kept !== undefined) return kept;
  const [base = '', ...marks] = character.normalize('NFD');
  if (marks.length > 0 && LATIN_WITH_MARKS.test(character.normalize('NFD'))) return base.toLowerCase();
  const folded = character.toUpperCase().toLowerCase();
  return Array.from(folded).length === 1 ? folded : character.toLowerCase();
}

function fold(code: number): string | null {
  const folded = known.get(code);
  if (folded !== undefined) return folded;
  if (known.size >= KNOWN_MAX) known.clear();
  const classified = classify(code);
  known.set(code, classified);
  return classified;
}

/** The words of a text, with their places in it. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let word: Word | null = null;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const end = at + (code > 0xff_ff ? 2 : 1);
    const folded = fold(code);
    // An accent without a letter before it is no word.
    if (folded === null || (folded === '' && word === null)) word = null;
    else if (word === null) words.push((word = { text: folded, from: at, to: end }));
    else {
      word.text += folded;
      word.to = end;
    }
    at = end;
  }
  return words;
}
