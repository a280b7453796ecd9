import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingDefinitions } from '#server/settings-table.ts';
import { root } from './bootstrap.mjs';

const ENV_EXAMPLE_HEAD = `\
# Setelan PBB Kita. Salin menjadi .env di sini, atau menjadi "setelan.env" di dalam folder data, lalu ubah seperlunya;
# semua boleh dibiarkan kosong. Variabel lingkungan yang sudah ada menang atas isi berkas ini.
`;

/** The text of .env.example: every setting with its default, below its Indonesian help. */
export function formatEnvExample(): string {
  const blocks = settingDefinitions.map(([name, { defaultText, help }]) => {
    const comment = help === '' ? '' : `\n${help.replaceAll(/^/gm, '# ')}\n`;
    return `${comment}${name}=${defaultText}\n`;
  });
  return ENV_EXAMPLE_HEAD + blocks.join('');
}

/** The lines of the table of settings in README.md, in the columns of the formatter. */
export function formatReadmeTable(): string {
  const rows = settingDefinitions.map(([name, { defaultText, publicDefaultText, defaultDescription, description }]) => [
    `\`${name}\``,
    defaultDescription ??
      (defaultText === '' ? 'none' : `\`${defaultText}\``) +
        (publicDefaultText === undefined ? '' : `; with \`TLS_DOMAIN\` \`${publicDefaultText}\``),
    description,
  ]);
  const head = ['Setting', 'Default', 'Meaning'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map(({ [column]: cell = '' }) => cell.length)),
  );
  const formatRow = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...rows].map(formatRow).join('');
}

/** @returns README.md with the current table in place of the one in its section on settings */
export function replaceReadmeTable(readme: string): string {
  return readme.replace(/(?<=\n## Settings\n[^|]*)(?:\|.*\n)+/, () => formatReadmeTable());
}

if (import.meta.main) {
  const readmePath = join(root, 'README.md');
  writeFileSync(readmePath, replaceReadmeTable(readFileSync(readmePath, 'utf8')));
  writeFileSync(join(root, '.env.example'), formatEnvExample());
}
