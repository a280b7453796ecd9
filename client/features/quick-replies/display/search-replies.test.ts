import { expect, it } from 'vitest';
import { SAMPLE_REPLIES } from '../sample-replies.ts';
import { searchReplies } from './search-replies.ts';

const build = (shortcut: string, title: string, content: string) => ({
  id: shortcut,
  _id: shortcut,
  shortcut,
  title,
  content,
  personal: false,
  updated_at: '2026-08-01T00:00:00.000Z',
});
const found = (replies: readonly ReturnType<typeof build>[], search: string): string[] =>
  searchReplies(replies, search).map(({ shortcut }) => shortcut);

it('ranks a shortcut above a word of a title, that above a part of a word, and a text last', () => {
  const replies = [
    build('a-teks', 'Salam', 'Tidak ada tunggakan'),
    build('b-dalam', 'Satu setungkup', 'x'),
    build('c-judul', 'Rincian tunggakan', 'x'),
    build('d-judul', 'Daftar (tunggakan)', 'x'),
    build('tunggu', 'Mohon menunggu', 'x'),
  ];
  expect(found(replies, 'tung')).toEqual(['tunggu', 'c-judul', 'd-judul', 'b-dalam', 'a-teks']);
});

it('finds for a debtor the example with the debts first', () => {
  const samples = SAMPLE_REPLIES.map(({ shortcut, title, content }) => build(shortcut, title, content));
  expect(found(samples, 'tung')[0]).toBe('tagihan');
  expect(found(samples, 'tunggakan')[0]).toBe('tagihan');
});

it('offers no example that says unchecked that nothing is owed', () => {
  expect(SAMPLE_REPLIES.filter(({ content }) => /tidak ada tunggakan/i.test(content))).toEqual([]);
});
