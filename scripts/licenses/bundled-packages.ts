import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** The folder of a package; with nested packages, of the innermost one. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const CSS_IMPORT = /@import\s+(?:url\(\s*)?["']?([^"')\s;]+)/g;

export type BundledPackages = {
  /** Filled during the build: the folder of each package of which something is in the bundle. */
  folders: Set<string>;
  plugin: Plugin;
};

/** Notes the packages whose code, style sheets or files go into a bundle. What tree shaking leaves out does not count. */
export function collectBundledPackages(): BundledPackages {
  const folders = new Set<string>();
  const addPackageOf = (file: string): void => {
    const [folder] = PACKAGE_FOLDER.exec(file.replaceAll('\\', '/')) ?? [];
    if (folder !== undefined && !file.startsWith('\0')) folders.add(folder);
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
        const { root } = this.environment.config;
        for (const output of Object.values(bundle)) {
          if (output.type === 'chunk') output.moduleIds.forEach(addPackageOf);
          else for (const name of output.originalFileNames) addPackageOf(resolve(root, name));
        }
      },
    },
  };
  return { folders, plugin };
}
