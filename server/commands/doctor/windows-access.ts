import { spawnSync } from 'node:child_process';
import type { Finding } from './check.ts';

/** Groups of Windows to which any local account belongs, by their abbreviations in SDDL. */
const OPEN_GROUPS = new Map([
  ['WD', 'Everyone'],
  ['AU', 'Authenticated Users'],
  ['BU', 'Users'],
  ['IU', 'Interactive'],
  ['BG', 'Guests'],
  ['AN', 'Anonymous'],
]);

/**
 * Reads who may use a folder, as SDDL: unlike the output of icacls it is the same in every language of Windows.
 * @returns null when Windows does not say
 */
function readSecurityDescriptor(path: string): string | null {
  const script = `(Get-Acl -LiteralPath '${path.replaceAll("'", "''")}').Sddl`;
  const args = ['-NoProfile', '-NonInteractive', '-Command', script];
  const { status, stdout } = spawnSync('powershell', args, { encoding: 'utf8', windowsHide: true });
  return status === 0 && stdout.includes('D:') ? stdout.trim() : null;
}

/** @returns the groups of all local accounts that an access list lets in */
export function findOpenGroups(descriptor: string): string[] {
  const accessList = descriptor.slice(descriptor.indexOf('D:'));
  const trustees = Array.from(accessList.matchAll(/\(A;[^)]*;([^;)]*)\)/g), ([, trustee = '']) => trustee);
  return [...new Set(trustees)].flatMap((trustee) => OPEN_GROUPS.get(trustee) ?? []);
}

/** Checks on Windows that other accounts of the computer cannot open the data folder. */
export function checkWindowsAccess(dataDir: string, read = readSecurityDescriptor): Finding {
  const descriptor = read(dataDir);
  if (descriptor === null) return { what: 'siapa yang dapat membuka folder data tidak dapat diperiksa' };
  const groups = findOpenGroups(descriptor);
  if (groups.length === 0) return { what: 'folder data tertutup bagi akun lain di komputer ini' };
  return {
    what: `folder data terbuka bagi semua akun di komputer ini (${groups.join(', ')})`,
    advice:
      'Dengan layanan: ulangi service install sebagai administrator. ' +
      'Tanpa layanan: pindahkan folder program ke dalam folder akun Anda, misalnya C:\\Users\\nama\\PBB-Kita.',
  };
}
