import { accessSync } from 'node:fs';

/**
 * Whether this process may use a file or folder.
 * @param mode as in fs.constants, for instance W_OK
 */
export function hasAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
