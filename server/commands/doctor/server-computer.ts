import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { Resolver } from 'node:dns/promises';
import { errorCode } from '#server/files/atomic.ts';
import { toPlainAddress } from '#server/security/ip-addresses.ts';
import { isPublicAddress } from '#server/features/push/endpoints/public-addresses.ts';

const DNS_TIMEOUT_MS = 4000;
const FETCH_TIMEOUT_MS = 5000;

/** The parts of this computer and its network that checks ask; tests give their own. */
export type ServerComputer = {
  platform: NodeJS.Platform;
  now: () => number;
  /** The addresses of this computer, of all network cards. */
  addresses: () => string[];
  /** The addresses of a name by the name servers; null when none answers. */
  resolve: (name: string) => Promise<string[] | null>;
  /** The status of an answer over http or https; null for none. */
  fetchStatus: (url: string) => Promise<number | null>;
  run: (program: string, args: string[]) => { ok: boolean; output: string };
  /** @returns null for a file that cannot be read */
  readFile: (path: string) => string | null;
  listFolder: (path: string) => string[];
  readLink: (path: string) => string | null;
};

export const thisComputer: ServerComputer = {
  platform: process.platform,
  now: Date.now,
  addresses: () =>
    Object.values(networkInterfaces())
      .flatMap((found) => found ?? [])
      .filter(({ internal }) => !internal)
      .map(({ address }) => toPlainAddress(address)),
  resolve: resolveByNameServers,
  async fetchStatus(url) {
    try {
      const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
      const { status, body } = await fetch(url, { redirect: 'manual', signal });
      await body?.cancel();
      return status;
    } catch {
      return null;
    }
  },
  run(program, args) {
    const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', windowsHide: true });
    return { ok: status === 0, output: error ? '' : `${stdout}${stderr}` };
  },
  readFile: (path) => orElse(() => readFileSync(path, 'utf8'), null),
  listFolder: (path) => orElse(() => readdirSync(path), []),
  readLink: (path) => orElse(() => readlinkSync(path), null),
};

/** The public addresses of this computer: those of a server in a data centre, or behind a modem without a router. */
export const publicAddressesOf = ({ addresses }: ServerComputer): string[] => addresses().filter(isPublicAddress);

function orElse<T>(read: () => T, other: T): T {
  try {
    return read();
  } catch {
    return other;
  }
}

/** Not the file of names of this computer: others do not have it. */
async function resolveByNameServers(name: string): Promise<string[] | null> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const isSilent = answers.every(
    (answer) => answer.status === 'rejected' && !/^(ENOTFOUND|ENODATA)$/.test(errorCode(answer.reason) ?? ''),
  );
  return isSilent ? null : found;
}
