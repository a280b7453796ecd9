import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, restrictToOwner, writeFileAtomicSync } from './atomic.ts';

/**
 * Secret texts of an office by name, such as the keys of push notifications: files of its data folder, or with PostgreSQL rows
 * that all processes share (server/db/postgres/shared-texts.ts). A name is that of the file.
 */
export type NamedTexts = {
  /** @returns null when there is none */
  read: (name: string) => Promise<string | null>;
  /**
   * Stores a text in place of `expected`, or of none. Another process may have stored one meanwhile, which stays then.
   * @returns the text that is stored now
   */
  replace: (name: string, expected: string | null, text: string) => Promise<string>;
};

/** The texts as files that only their owner may read. One process has the folder to itself. Reading makes nothing. */
export function textsInFolder(folder: string): NamedTexts {
  return {
    async read(name) {
      const file = join(folder, name);
      try {
        restrictToOwner(file);
        return readFileSync(file, 'utf8');
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    },
    async replace(name, _expected, text) {
      writeFileAtomicSync(join(folder, name), text);
      return text;
    },
  };
}
