import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';
import { formatNotices, readPackage, readPdfFont, readSqlite } from './notices.ts';

const NOTICES_FILE = 'LICENSES.txt';
/** The notices of what the authors of the API page have bundled into it. */
const DOCS_NOTICES = ['swagger-ui-bundle.js.LICENSE.txt'];

/**
 * Writes the notices of the client and of the whole program.
 * @param bundled the folders of the packages of which something is in the bundle of each side
 */
export function writeNotices(bundled: { client: Iterable<string>; server: Iterable<string> }): void {
  const databaseLibrary = join(root, 'node_modules/better-sqlite3');
  const client = [
    ...[...bundled.client].map((folder) => readPackage(folder)),
    readPdfFont(join(root, 'client/assets/fonts')),
  ];
  const server = [
    ...[...bundled.server].map((folder) => readPackage(folder)),
    readPackage(join(root, 'node_modules/swagger-ui-dist'), DOCS_NOTICES),
    readPackage(databaseLibrary),
    readSqlite(databaseLibrary),
  ];
  // Visitors get the client alone, and need not know what the server runs.
  writeFileSync(join(root, 'dist/client', NOTICES_FILE), formatNotices(client));
  writeFileSync(join(root, 'dist', NOTICES_FILE), formatNotices([...client, ...server]));
}
