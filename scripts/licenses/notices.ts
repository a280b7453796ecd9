import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A part of the program that others have written, with the text that must go along with it. */
export type ThirdPartyComponent = {
  name: string;
  version: string;
  /** An SPDX expression, or a short name. */
  license: string;
  /** The address of its source code, which the MPL asks for. */
  source: string;
  text: string;
};

type PackageJson = { name: string; version: string; license?: unknown; author?: string | { name: string } };

/** Licenses under which a component may ship inside a closed program. Each was read before it was added. */
const ACCEPTED_LICENSES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
  'OFL-1.1',
  'Zlib',
]);

const LICENSE_FILE = /^(licen[cs]e|copying)/i;
const NOTICE_FILE = /^(notice|copyright)/i;

/** Vite's file goes on with what the tool itself holds, and none of that is in the helpers that it adds to a bundle. */
const TEXT_OF_TOOL = /^# Licenses of bundled dependencies$[^]*/m;

/** Texts for packages that name a license and ship no text of it. */
const STANDARD_TEXTS = join(import.meta.dirname, 'texts');

const HEADER = `Perangkat lunak lain di dalam PBB Kita

Setiap bagian di bawah ini dibuat oleh pihak lain. Tertulis nama, versi, lisensi, alamat kode sumbernya, dan teks lisensinya.
`;
const RULE = '='.repeat(80);

/** @throws when an expression holds a license that is not accepted, or both AND and OR, which needs a reader */
function requireAccepted(expression: unknown, component: string): string {
  const isAccepted = (text: string): boolean => {
    const ids = text.replaceAll(/[()]/g, '').split(/ OR | AND /);
    if (text.includes(' OR ') && text.includes(' AND ')) return false;
    return text.includes(' OR ')
      ? ids.some((id) => ACCEPTED_LICENSES.has(id))
      : ids.every((id) => ACCEPTED_LICENSES.has(id));
  };
  if (typeof expression === 'string' && isAccepted(expression)) return expression;
  throw new Error(
    `${component} has the license ${JSON.stringify(expression)}, which scripts/licenses/notices.ts does not accept`,
  );
}

/**
 * Reads a package with its license and notices.
 * @param noticeFiles further files of the package with notices
 * @throws when its license is not accepted, or has no text
 */
export function readPackage(folder: string, noticeFiles: readonly string[] = []): ThirdPartyComponent {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as PackageJson;
  const acceptedLicense = requireAccepted(license, `${name} ${version}`);
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .toSorted();
  const licenseFiles = names.filter((file) => LICENSE_FILE.test(file));
  const files = [...licenseFiles, ...names.filter((file) => NOTICE_FILE.test(file)), ...noticeFiles];
  const readText = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const texts = files.map((file) => (name === 'vite' ? readText(file).replace(TEXT_OF_TOOL, '') : readText(file)));
  if (licenseFiles.length === 0) {
    const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
    texts.unshift(`Copyright (c) ${holder}`);
  }
  // Many packages only link to the Apache License. The full text must be shipped.
  const isReference = acceptedLicense === 'Apache-2.0' && !texts.some((text) => text.includes('TERMS AND CONDITIONS'));
  if (licenseFiles.length === 0 || isReference) texts.push(readStandardText(acceptedLicense, `${name} ${version}`));
  return {
    name,
    version,
    license: acceptedLicense,
    source: `https://www.npmjs.com/package/${name}/v/${version}`,
    text: texts.map((text) => text.trim()).join('\n\n'),
  };
}

function readStandardText(license: string, component: string): string {
  const file = join(STANDARD_TEXTS, `${license}.txt`);
  if (!existsSync(file)) throw new Error(`${component} ships no text of its license, and ${file} does not exist`);
  return readFileSync(file, 'utf8');
}

/** SQLite, which the database library holds compiled. @throws when its header has no version or no notice */
export function readSqlite(databasePackage: string): ThirdPartyComponent {
  const header = readFileSync(join(databasePackage, 'deps/sqlite3/sqlite3.h'), 'utf8');
  const [, version] = /^#define SQLITE_VERSION\s+"([\d.]+)"/m.exec(header) ?? [];
  const [, notice] = /^(\*\* The author disclaims copyright[^]*?)^\*{10}/m.exec(header) ?? [];
  if (version === undefined || notice === undefined) throw new Error('sqlite3.h has no version or no notice');
  return {
    name: 'SQLite',
    version,
    license: 'Public Domain',
    source: 'https://www.sqlite.org/copyright.html',
    text: notice.replaceAll(/^\*\* ?/gm, '').trim(),
  };
}

/** The font of PDF files, which is cut from a larger one. @throws when the file does not name its version */
export function readPdfFont(fontFolder: string): ThirdPartyComponent {
  // The names in a font are UTF-16.
  const names = readFileSync(join(fontFolder, 'inter-regular-latin.ttf'), 'latin1').replaceAll('\0', '');
  const [, version] = /Version (\d+\.\d+)/.exec(names) ?? [];
  if (version === undefined) throw new Error('inter-regular-latin.ttf does not name its version');
  return {
    name: 'Inter',
    version,
    license: 'OFL-1.1',
    source: 'https://github.com/rsms/inter',
    text: readFileSync(join(fontFolder, 'OFL.txt'), 'utf8').trim(),
  };
}

/** Node itself, the larger part of a single binary. */
export const describeNode = (version: string, licenseFile: string): ThirdPartyComponent => ({
  name: 'Node.js',
  version,
  license: 'MIT',
  source: `https://github.com/nodejs/node/tree/v${version}`,
  text: readFileSync(licenseFile, 'utf8').trim(),
});

/** The line that names a component in the notices. */
export const headingOf = ({ name, version, license }: ThirdPartyComponent): string => `${name} ${version} (${license})`;

const formatComponent = (component: ThirdPartyComponent): string =>
  `\n${RULE}\n${headingOf(component)}\n${component.source}\n${RULE}\n\n${component.text.replaceAll('\r', '')}\n`;

/** Components by name, without repetition. The same components give the same bytes. */
function formatComponents(components: readonly ThirdPartyComponent[]): string {
  const byHeading = new Map(components.map((component) => [headingOf(component), formatComponent(component)]));
  return [...byHeading]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, text]) => text)
    .join('');
}

export const formatNotices = (components: readonly ThirdPartyComponent[]): string =>
  HEADER + formatComponents(components);

export const appendNotices = (notices: string, components: readonly ThirdPartyComponent[]): string =>
  notices + formatComponents(components);
