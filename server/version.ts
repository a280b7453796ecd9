import { readFileSync } from 'node:fs';
import { isSingleBinary } from '#server/files/resources.ts';

/** Put in by the bundler (`define` in scripts/build.ts); among the sources nobody does. */
declare const PBB_VERSION: string | undefined;

/** The version of this program as in package.json, its one source: "1.0.0". */
export const APP_VERSION: string = typeof PBB_VERSION === 'string' ? PBB_VERSION : readPackageVersion();

/** What the program runs on, for whoever helps an office from afar. */
export const RUNTIME = {
  /** As in "24.21.0". */
  node: process.versions.node,
  /** As in "linux-x64". */
  platform: `${process.platform}-${process.arch}`,
  /** One file that holds everything; otherwise the project's own folder. */
  isSingleBinary: isSingleBinary(),
};

function readPackageVersion(): string {
  const packageJson: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  if (typeof packageJson === 'object' && packageJson !== null && 'version' in packageJson)
    return String(packageJson.version);
  throw new Error('package.json names no version');
}
