import { expect, it, vi } from 'vitest';
import { keepAmountsWhole, splitLinks } from './linked-text.tsx';

const linksOf = (content: string) =>
  splitLinks(content).flatMap(({ text, href }) => (href === null ? [] : [[text, href]]));

it.each([
  ['https://a.id/x?y=1&z=2#k', 'https://a.id/x?y=1&z=2#k'],
  ['HTTP://A.ID', 'http://a.id/'],
  ['www.contoh.go.id', 'https://www.contoh.go.id/'],
  ['tanya.pajak+pbb@contoh.go.id', 'mailto:tanya.pajak+pbb@contoh.go.id'],
  ['https://id.wikipedia.org/wiki/PBB_(pajak)', 'https://id.wikipedia.org/wiki/PBB_(pajak)'],
])('turns %s into a link', (text, href) => {
  expect(linksOf(text)).toEqual([[text, href]]);
  expect(linksOf(`Lihat (${text}), ya.`)).toEqual([[text, href]]);
});

it.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'vbscript:x',
  'http://',
  'a@b',
  'Rp 1.500.000',
  '12.30',
])('leaves %s as text', (text) => {
  expect(linksOf(text)).toEqual([]);
});

it('keeps every character of the message', () => {
  const content = 'a https://a.id, b\nwww.b.id! c@d.id <script>x</script> 🙏 https://e.id';
  expect(
    splitLinks(content)
      .map(({ text }) => text)
      .join(''),
  ).toBe(content);
});

it.each([
  ['...a@b.id', 'a@b.id'],
  ['a@www.b.id', 'a@www.b.id'],
  ['lihat...https://a.id', 'https://a.id'],
  ['surel:a.b-c@d.id;', 'a.b-c@d.id'],
])('finds the address in %s', (content, text) => {
  expect(linksOf(content).map(([found]) => found)).toEqual([text]);
});

it.each([
  ['at the end', `http://a.id${'.'.repeat(1900)}`, 1901],
  ['inside', `http://a.id/${'.'.repeat(1900)}x`, 1],
])('looks at each punctuation mark once when 1,900 of them are %s of a link', (_place, content, lookCount) => {
  const look = vi.spyOn(String.prototype, 'charAt');
  splitLinks(content);
  const looks = look.mock.contexts.filter((text) => String(text).startsWith('http'));
  look.mockRestore();
  // One more look is for the bracket after the link or for the sign before it.
  expect(looks.length).toBeGreaterThanOrEqual(lookCount);
  expect(looks.length).toBeLessThanOrEqual(lookCount + 2);
});

it('keeps Rp and its number in one line, and nothing else', () => {
  expect(keepAmountsWhole('Rp 1.250.000, (Rp 5) dan Rp lima; CorRp 1')).toBe(
    'Rp\u00A01.250.000, (Rp\u00A05) dan Rp lima; CorRp 1',
  );
});
