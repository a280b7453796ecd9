import { readFileSync } from 'node:fs';
import { isSingleBinary } from '#server/files/resources.ts';

/** Defined by the bundler (`define` in scripts/build.ts); undefined when the sources run directly. */
declare const PBB_VERSION: string | undefined;

/** The version in package.json, as in "1.0.0". */
export const APP_VERSION: string = typeof PBB_VERSION === 'string' ? PBB_VERSION : readPackageVersion();

/** The runtime environment, for support. */
export const RUNTIME = {
  /** As in "24.21.0". */
  node: process.versions.node,
  /** As in "linux-x64". */
  platform: `${process.platform}-${process.arch}`,
  /** Whether the program is a single executable file. */
  isSingleBinary: isSingleBinary(),
};

function readPackageVersion(): string {
  const packageJson: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  if (typeof packageJson === 'object' && packageJson !== null && 'version' in packageJson)
    return String(packageJson.version);
  throw new Error('package.json names no version');
}
