import { isIPv4 } from 'node:net';
import { toPlainAddress } from '#server/security/ip-addresses.ts';
import { isLoopback } from '#server/http/listen/lan-addresses.ts';
import type { ServerComputer } from './server-computer.ts';

/** A program that waits for connections from other computers. */
export type Listener = { port: number; program: string | null };

/** @returns null where the operating system does not tell */
export function listListeners(computer: ServerComputer): Listener[] | null {
  const found = readListeners(computer);
  if (found === null) return null;
  const byPort = new Map<number, Listener>();
  for (const { address, port, program } of found) {
    const known = byPort.get(port);
    if (isLoopback(toPlainAddress(address)) || known?.program) continue;
    byPort.set(port, { port, program });
  }
  return [...byPort.values()].toSorted((a, b) => a.port - b.port);
}

type Found = { address: string; port: number; program: string | null };

function readListeners(computer: ServerComputer): Found[] | null {
  switch (computer.platform) {
    case 'linux':
      return readLinux(computer);
    case 'win32':
      return readWindows(computer);
    case 'darwin':
      return readMac(computer);
    default:
      return null;
  }
}

const LISTEN_STATE = '0A';

function readLinux(computer: ServerComputer): Found[] | null {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map(computer.readFile);
  if (tables.every((table) => table === null)) return null;
  const rows = tables
    .flatMap((table) => (table ?? '').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(({ 3: state }) => state === LISTEN_STATE);
  const programs = rows.length > 0 ? readSocketPrograms(computer) : new Map<string, string>();
  return rows.map(({ 1: local = '', 9: inode = '' }) => {
    const [address = '', port = ''] = local.split(':');
    return { address: addressOfHex(address), port: Number.parseInt(port, 16), program: programs.get(inode) ?? null };
  });
}

/** The kernel writes addresses as numbers of 32 bits in the order of the processor, which is little-endian here. */
function addressOfHex(hex: string): string {
  const bytes = Buffer.concat((hex.match(/.{8}/g) ?? []).map((word) => Buffer.from(word, 'hex').toReversed()));
  if (bytes.length === 4) return [...bytes].join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  const address = new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

/** The program of each socket; only root sees those of other accounts. */
function readSocketPrograms(computer: ServerComputer): Map<string, string> {
  const programs = new Map<string, string>();
  for (const pid of computer.listFolder('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const handle of computer.listFolder(`/proc/${pid}/fd`)) {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(computer.readLink(`/proc/${pid}/fd/${handle}`) ?? '') ?? [];
      if (inode !== undefined) programs.set(inode, (computer.readFile(`/proc/${pid}/comm`) ?? '').trim());
    }
  }
  return programs;
}

/** The word for the state depends on the language of Windows; the foreign address of a listener always has port 0. */
function readWindows(computer: ServerComputer): Found[] | null {
  const outputs = ['TCP', 'TCPv6'].map((protocol) => computer.run('netstat', ['-ano', '-p', protocol]));
  if (!outputs.some(({ ok }) => ok)) return null;
  const tasks = computer.run('tasklist', ['/fo', 'csv', '/nh']).output;
  const programs = new Map([...tasks.matchAll(/^"([^"]*)","(\d+)"/gm)].map(([, name = '', pid = '']) => [pid, name]));
  return outputs.flatMap(({ output }) =>
    [...output.matchAll(/^\s*TCP\s+(\S+):(\d+)\s+\S+:0\s+\S.*?\s(\d+)\s*$/gm)].map(
      ([, address = '', port = '', pid = '']) => ({
        address: address.replaceAll(/[[\]]/g, ''),
        port: Number(port),
        program: programs.get(pid) ?? null,
      }),
    ),
  );
}

/** Lines of lsof: `p` begins a program, `c` is its name, `n` an address. */
function readMac(computer: ServerComputer): Found[] | null {
  const { output, ok } = computer.run('lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fcn']);
  if (!ok && output === '') return null;
  const found: Found[] = [];
  let program: string | null = null;
  for (const line of output.split('\n')) {
    if (line.startsWith('c')) program = line.slice(1);
    const [, address = '', port] = /^n(.*):(\d+)$/.exec(line) ?? [];
    if (port === undefined) continue;
    const plain = address.replaceAll(/[[\]]/g, '');
    found.push({ address: isIPv4(plain) || plain.includes(':') ? plain : '0.0.0.0', port: Number(port), program });
  }
  return found;
}
