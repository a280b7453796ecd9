import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { root } from '../bootstrap.mjs';

/** The folder of a package; with nested packages, of the innermost one. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
/** A module that a build tool makes up, as `\0vite/preload-helper.js`, begins with the name of its package. */
const HELPER_MODULE = /^\0((?:@[^/]+\/)?[^/]+)\//;
const CSS_IMPORT = /@import\s+(?:url\(\s*)?["']?([^"')\s;]+)/g;

/** The folder of a build tool that wrote a module itself; null for other modules. */
function findToolFolder(id: string): string | null {
  const [, name] = HELPER_MODULE.exec(id) ?? [];
  const folder = name === undefined ? null : join(root, 'node_modules', name);
  return folder !== null && existsSync(folder) ? folder : null;
}

export type BundledPackages = {
  /** Filled during the build: the folder of each package of which something is in the bundle. */
  folders: Set<string>;
  plugin: Plugin;
};

/**
 * Notes the packages whose code, style sheets or files go into a bundle, also the build tools with helpers of their own.
 * What tree shaking leaves out does not count.
 */
export function collectBundledPackages(): BundledPackages {
  const folders = new Set<string>();
  const addPackageOf = (file: string): void => {
    const isHelper = file.startsWith('\0');
    const folder = isHelper ? findToolFolder(file) : PACKAGE_FOLDER.exec(file.replaceAll('\\', '/'))?.[0];
    if (folder) folders.add(folder);
  };
  const plugin: Plugin = {
    name: 'bundled-packages',
    apply: 'build',
    // The bundle does not say from which style sheets its CSS comes.
    transform: {
      order: 'pre',
      filter: { id: /\.css(\?|$)/ },
      async handler(code, id) {
        addPackageOf(id);
        for (const [, source = ''] of code.matchAll(CSS_IMPORT)) {
          const imported = await this.resolve(source, id);
          if (imported) addPackageOf(imported.id);
        }
      },
    },
    generateBundle: {
      // After the plugins that add files of their own.
      order: 'post',
      handler(_options, bundle) {
        const { root: projectFolder } = this.environment.config;
        for (const output of Object.values(bundle)) {
          if (output.type === 'chunk') output.moduleIds.forEach(addPackageOf);
          else for (const name of output.originalFileNames) addPackageOf(resolve(projectFolder, name));
        }
      },
    },
  };
  return { folders, plugin };
}
