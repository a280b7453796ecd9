import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const CLIENT_DIR = join(import.meta.dirname, 'client');
const ROOT_PX = 16;

const sourceFiles = readdirSync(CLIENT_DIR, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /(?<!\.test)\.(css|tsx|ts)$/.test(path),
);

const theme = readFileSync(join(CLIENT_DIR, 'ui/theme/theme.ts'), 'utf8');
const [scaleSource = ''] = /export const fontSizes = \{[^}]*\}/.exec(theme) ?? [];
const scale = [...scaleSource.matchAll(/(\w+): '([\d.]+)rem'/g)].map(([, name = '', rem = '']) => ({
  name,
  px: Number(rem) * ROOT_PX,
}));

const names = scale.map(({ name }) => name).join('|');
const scaleValue = `var\\(--mantine-(?:font-size-(?:${names})|h[1-6]-font-size)\\)`;
const allowedCss = new RegExp(
  // Points are for paper. A page may give all its numbers one size, and a choice grows only as far as its words fit.
  `^(?:${scaleValue}|inherit|[\\d.]+pt|var\\(--stat-font-size, ${scaleValue}\\)|min\\(${scaleValue}, (?:5vw|16px)\\)|var\\(--title-font-size\\))$`,
);
const allowedProp = new RegExp(`^(?:${names}|h[1-6]|inherit)$`);
const scalePx = new Set(scale.map(({ px }) => px));

/** Sizes of text in one file that are not in the scale. */
function findOtherSizes(path: string, source: string): string[] {
  if (path.endsWith('.css')) {
    return [...source.matchAll(/(?:^|[\s;{])(?:font-size|--[\w-]*font-size):\s*([^;}]+)/g)]
      .map(([, value = '']) => value.trim())
      .filter((value) => !allowedCss.test(value));
  }
  const found: string[] = [];
  for (const [, value = ''] of source.matchAll(/\bfz=("[^"]*"|\{[^}]*\})/g)) {
    const words = [...value.matchAll(/["'](\w+)["']/g)].map(([, word = '']) => word);
    if (words.length === 0 || !words.every((word) => allowedProp.test(word))) found.push(`fz=${value}`);
  }
  for (const [, value = ''] of source.matchAll(/\bfontSize[=:]\s*\{?\s*['"]?((?:\d|clamp)[^,}\n]*)/g)) {
    const numbers = [...value.matchAll(/\d+(?:\.\d+)?/g)].map(Number);
    if (!numbers.every((px) => scalePx.has(px))) found.push(`fontSize ${value}`);
  }
  return found;
}

describe('the sizes of text', () => {
  it('come from the scale of the theme in every file', () => {
    expect(sourceFiles.length).toBeGreaterThan(200);
    const found = sourceFiles
      // exports/ makes files of Excel and PDF.
      .filter((path) => !path.startsWith('exports'))
      .flatMap((path) =>
        findOtherSizes(path, readFileSync(join(CLIENT_DIR, path), 'utf8')).map((size) => `${path}: ${size}`),
      );
    expect(found).toEqual([]);
  });

  it('a size outside the scale is found in CSS, in a prop and in a style', () => {
    expect(findOtherSizes('a.css', '.a { font-size: 1.0625rem; }\n.b { font-size: inherit; }')).toEqual(['1.0625rem']);
    expect(findOtherSizes('a.css', '.a { --stat-font-size: clamp(1rem, 9cqi, 2rem); }')).toHaveLength(1);
    expect(findOtherSizes('a.tsx', '<Text fz="17px" /><Text fz="sm" />')).toEqual(['fz="17px"']);
    expect(findOtherSizes('a.tsx', "const a = { fontSize: '1.1rem' };")).toHaveLength(1);
  });

  it('the scale consists of six sizes', () => {
    expect([...scalePx]).toEqual([13, 15, 16, 18, 22, 28]);
  });
});

describe('the sizes of icons', () => {
  const sizesIn = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, px = '']) => Number(px));
  const globalCss = readFileSync(join(CLIENT_DIR, 'app/global.css'), 'utf8');
  const growing = /\.tabler-icon\[width='(\d+)'\] \{\s*width: ([\d.]+)rem;\s*height: \2rem;/g;

  it('grow with the text, whichever of them is in use', () => {
    const used = sourceFiles.flatMap((path) =>
      sizesIn(/<\w*Icon\w* (?:[^>]* )?size=\{(\d+)\}/g, readFileSync(join(CLIENT_DIR, path), 'utf8')),
    );
    // The sizes of buttons and of marks behind icons are lengths of Mantine, which grow by themselves.
    const icons = new Set(used.filter((px) => px <= 28));
    expect(icons.size).toBeGreaterThan(5);
    expect([...icons].filter((px) => !sizesIn(growing, globalCss).includes(px))).toEqual([]);
    for (const [rule, px, rem] of globalCss.matchAll(growing)) expect(Number(rem) * ROOT_PX, rule).toBe(Number(px));
  });
});
