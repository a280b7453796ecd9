import { expect, it } from 'vitest';
import { splitLinks } from './linked-text.tsx';

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
