import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHandbook } from './chapters.ts';
import { renderPages } from './render-pages.ts';
import { readDocument, readPictureSize } from './write-handbook.ts';

const PICTURE_MAX_BYTES = 60_000;
const PICTURES_MAX_BYTES = 350_000;

const read = (...path: string[]): string => readFileSync(join(import.meta.dirname, '../..', ...path), 'utf8');
const handbook = readDocument();
const pages = renderPages(handbook, readPictureSize);
const addressOf = (file: string): string => (file === 'index.html' ? '/panduan' : `/panduan/${file.slice(0, -5)}`);
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

/** Makes the pages of a handbook with one chapter. */
const renderSample = (text: string): string =>
  renderPages(readHandbook(`# Panduan\n\n## Bab satu\n\n${text}\n`), () => ({ width: 300, height: 200 })).get(
    'bab-satu.html',
  ) ?? '';

describe('the pages of the handbook', () => {
  it('consist of a list and one for each chapter, each with its title once and its headings in order', () => {
    expect(pages.size).toBe(handbook.chapters.length + 1);
    expect(pages.size).toBeGreaterThan(20);
    for (const [file, html] of pages) {
      const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
      expect(levels[0], file).toBe(1);
      expect(
        levels.slice(1).every((level) => level === 2),
        file,
      ).toBe(true);
      const ids = idsOf(html);
      expect(new Set(ids).size, file).toBe(ids.length);
    }
  });

  it('lead with every link to a page and an id that exist, or to the app', () => {
    const targets = new Set([...pages].flatMap(([file, html]) => idsOf(html).map((id) => `${addressOf(file)}#${id}`)));
    const addresses = new Set([...pages.keys()].map(addressOf));
    let count = 0;
    for (const [file, html] of pages) {
      for (const [, href = ''] of html.matchAll(/<a[^>]* href="([^"]+)"/g)) {
        count += 1;
        const isPicture = href.endsWith('.webp') && existsSync(`docs/pictures/${href.slice('/panduan/'.length)}`);
        const whole = href.startsWith('#') ? addressOf(file) + href : href;
        const isKnown = whole.includes('#') ? targets.has(whole) : addresses.has(whole) || whole === '/';
        expect(isPicture || isKnown, `${file} leads to ${href}`).toBe(true);
      }
    }
    expect(count).toBeGreaterThan(150);
  });

  it('keep the id of every heading on the page of all chapters, where it leads on', () => {
    const ids = new Set(idsOf(pages.get('index.html') ?? ''));
    const linked = [...read('docs/operations.md').matchAll(/\]\(#([^)]+)\)/g)].map(([, id = '']) => id);
    expect(linked.length).toBeGreaterThan(60);
    expect(linked.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('list every chapter in the document too, in the same order', () => {
    const contents = /\*\*Isi:\*\*[^]*?\n\n/.exec(read('docs/operations.md'))?.[0] ?? '';
    const listed = [...contents.matchAll(/\]\(#([^)]+)\)/g)].map(([, id = '']) => id);
    expect(listed).toEqual(handbook.chapters.map(({ id }) => id));
  });

  it('cover each chapter that a screen leads to', () => {
    const [source = ''] = /handbookChapters = \{[^}]*\}/.exec(read('client/ui/page/handbook-link.tsx')) ?? [];
    const ids = [...source.matchAll(/'([^']+)'/g)].map(([, id = '']) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !pages.has(`${id}.html`))).toEqual([]);
  });

  it('run no script, ask no other host for anything, and carry no style of their own', () => {
    for (const [file, html] of pages) {
      expect(html, file).not.toMatch(/<script|\son\w+=|\sstyle=|<style|javascript:/i);
      const loaded = [...html.matchAll(/<(?:img|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
        ([, address = '']) => address,
      );
      expect(loaded.filter((address) => !/^\/(?:panduan|icons)\//.test(address))).toEqual([]);
    }
  });

  it('show small pictures with a text, a caption and their size', () => {
    const files = readdirSync('docs/pictures');
    const sizes = files.map((file) => statSync(`docs/pictures/${file}`).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(PICTURE_MAX_BYTES);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(PICTURES_MAX_BYTES);
    const html = pages.get('daftar-dari-kantor-pajak.html') ?? '';
    const figure =
      /<figure><a href="\/panduan\/([\w-]+\.webp)"><img src="\/panduan\/\1" alt="[^"]{20,}" width="\d+" height="\d+" loading="lazy" \/><\/a><figcaption><em>.{10,}<\/em><\/figcaption><\/figure>/g;
    expect([...html.matchAll(figure)].map(([, file = '']) => file).toSorted()).toEqual(files.toSorted());
  });
});

describe('the builder of the handbook', () => {
  it('gives headings the ids of GitHub, and a repeated one a number', () => {
    const { chapters } = readHandbook(
      '# A\n\n## https (alamat aman)\n\n## Lupa password, pergi\n\n## https (alamat aman)\n',
    );
    expect(chapters.map(({ id }) => id)).toEqual(['https-alamat-aman', 'lupa-password-pergi', 'https-alamat-aman-1']);
  });

  it('refuses a link to another document, to a heading that is not there, HTML, and a picture without a text', () => {
    expect(() => renderSample('[ukuran](measurements.md)')).toThrow('measurements.md');
    expect(() => renderSample('[lain](#tidak-ada)')).toThrow('#tidak-ada');
    expect(() => renderSample('<script>1</script>')).toThrow('<script>');
    expect(() => renderSample('![](pictures/a.webp)\\\n_Judul_')).toThrow('a.webp');
    expect(() => renderSample('![teks](../rahasia.webp)\\\n_Judul_')).toThrow('rahasia.webp');
  });

  it('names the column of each value where a table has more than two', () => {
    const html = renderSample('| Setelan | Bawaan | Arti |\n| - | - | - |\n| `PORT` | 3000 | porta |');
    expect(html).toContain('<td role="cell"><code>PORT</code></td><td role="cell" data-label="Bawaan">3000</td>');
    expect(renderSample('| A | B |\n| - | - |\n| 1 | 2 |')).not.toContain('data-label');
  });

  it('writes signs of HTML in texts as text', () => {
    expect(renderSample('Tekan `<b>` & "Simpan"')).toContain('<code>&lt;b&gt;</code> &amp; &quot;Simpan&quot;');
  });
});

describe('the style sheet of the handbook', () => {
  const css = read('scripts/handbook/handbook.css');

  it('uses only colours of the theme', () => {
    const theme = read('client/ui/theme/colors.ts') + read('client/ui/theme/theme.ts');
    const colors = [...css.matchAll(/#[0-9a-f]{6}\b/g)].map(([color]) => color);
    expect(colors.length).toBeGreaterThan(10);
    expect(colors.filter((color) => !theme.includes(`'${color}'`))).toEqual([]);
  });

  it('uses only sizes of text of the theme', () => {
    const [scale = ''] = /fontSizes = \{[^}]*\}/.exec(read('client/ui/theme/theme.ts')) ?? [];
    const sizes = [...css.matchAll(/font-size: ([^;]+);/g)].map(([, size = '']) => size);
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.filter((size) => !scale.includes(`'${size}'`))).toEqual([]);
  });
});
