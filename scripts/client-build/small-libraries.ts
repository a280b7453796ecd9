import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** An import of a library that brings much more than is used, and what takes its place. */
type Replacement = {
  source: RegExp;
  importer: RegExp;
  /** A file with the same exports, or its text. */
  by: { file: string } | { text: string };
};

const TEXT_PREFIX = '\0small-library-';

/** All of them would be on the first page, which has a budget (docs/decisions/014-first-load.md). */
const replacements: readonly Replacement[] = [
  {
    // The ScrollArea, inside every dialog and drawer, uses one small hook of a package of 15 kB.
    source: /^@floating-ui\/react$/,
    importer: /\/ScrollArea\/ScrollArea\.mjs$/,
    by: { file: fileURLToPath(new URL('../../client/ui/data/use-merge-refs.ts', import.meta.url)) },
  },
  {
    // The AppShell uses two class names of the package that locks the page behind a dialog.
    source: /^react-remove-scroll$/,
    importer: /\/AppShell\/.*\.mjs$/,
    by: {
      text: `import { fullWidthClassName, zeroRightClassName } from 'react-remove-scroll-bar/constants';
        export const RemoveScroll = { classNames: { fullWidth: fullWidthClassName, zeroRight: zeroRightClassName } };`,
    },
  },
  {
    // The edge that resizes a section of the AppShell by hand. No layout of ours has one (the property `resize`).
    source: /\/AppShellResizeHandle\.mjs$/,
    importer: /\/AppShell\/.*\.mjs$/,
    by: { text: 'export const AppShellResizeHandle = () => null;' },
  },
  {
    // Sections of the AppShell that no layout of ours has.
    source: /\/AppShell(Aside|Footer)\.mjs$/,
    importer: /\/AppShell\/AppShell\.mjs$/,
    by: { text: 'export const AppShellAside = () => null; export const AppShellFooter = () => null;' },
  },
  {
    source: /\/assign-(aside|footer)-variables\.mjs$/,
    importer: /\/AppShell\/.*\.mjs$/,
    by: { text: 'export const assignAsideVariables = () => {}; export const assignFooterVariables = () => {};' },
  },
  {
    // A connection over HTTP/3, which our server never offers.
    source: /^\.\/webtransport\.js$/,
    importer: /\/engine\.io-client\/.*\/transports\/index\.js$/,
    by: { text: "export class WT { get name() { return 'webtransport'; } }" },
  },
];

/** Leaves out what libraries bring along and no page uses. */
export const smallLibraries: Plugin = {
  name: 'small-libraries',
  enforce: 'pre',
  resolveId(source, importer = '') {
    const from = importer.replaceAll('\\', '/');
    const index = replacements.findIndex((each) => each.source.test(source) && each.importer.test(from));
    const by = replacements[index]?.by;
    if (!by) return null;
    return 'file' in by ? by.file : `${TEXT_PREFIX}${index}`;
  },
  load(id) {
    if (!id.startsWith(TEXT_PREFIX)) return null;
    const by = replacements[Number(id.slice(TEXT_PREFIX.length))]?.by;
    return by && 'text' in by ? by.text : null;
  },
};

/** React Router as its authors build it for production: without warnings for developers. Its package names only the other build. */
export const productionRouter: Plugin = {
  name: 'production-router',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!/^react-router(\/dom)?$/.test(source)) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (!resolved) return null;
    const id = resolved.id.replace(/([\\/]react-router[\\/]dist[\\/])development([\\/])/, '$1production$2');
    if (id === resolved.id) this.error(`not the build for developers: ${id}`);
    return { ...resolved, id };
  },
};
