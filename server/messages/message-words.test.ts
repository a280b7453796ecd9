import { expect, it } from 'vitest';
import { buildTestApp } from '#server/testing/test-app.ts';
import { wordsOf } from './message-words.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

/** Characters that people in Indonesia type: Latin with accents, Arabic, signs, emojis. */
const BLOCKS = [
  [0x01, 0x2_af],
  [0x3_00, 0x3_31],
  [0x6_1e, 0x6_ff],
  [0x1e_00, 0x1e_9a],
  [0x1e_9c, 0x1e_ff],
  [0x20_00, 0x2b_ff],
  [0x1_f0_00, 0x1_fa_ff],
] as const;

itOnSqlite('divides a text into the same words as the index, for every character between two letters', async () => {
  const { database } = await buildTestApp();
  const { sqlite } = database;
  const insert = sqlite.prepare('insert into message_words (rowid, content) values (?, ?)');
  const textOf = (code: number): string => `x${String.fromCodePoint(code)}y ${String.fromCodePoint(code)}`;
  const codes = BLOCKS.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
  sqlite.transaction(() => {
    for (const code of codes) insert.run(code, textOf(code));
  })();
  const indexed = new Map<number, string[]>();
  const rows = sqlite.prepare<[], { term: string; doc: number; offset: number }>('select * from message_vocabulary');
  for (const { term, doc, offset } of rows.all()) {
    const words = indexed.get(doc) ?? [];
    words[offset] = term;
    indexed.set(doc, words);
  }
  const different = codes.filter(
    (code) =>
      wordsOf(textOf(code))
        .map(({ text }) => text)
        .join(' ') !== (indexed.get(code) ?? []).join(' '),
  );
  expect(different.map((code) => code.toString(16))).toEqual([]);
});

it('gives the places of the words, in texts with emojis and accents of their own too', () => {
  const text = '🙏 Ándi, cafe\u0301 45.000🙏ok';
  expect(wordsOf(text).map(({ from, to }) => text.slice(from, to))).toEqual(['Ándi', 'cafe\u0301', '45', '000', 'ok']);
  expect(wordsOf(text).map((word) => word.text)).toEqual(['andi', 'cafe', '45', '000', 'ok']);
});
