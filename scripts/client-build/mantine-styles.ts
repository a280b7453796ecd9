import type { Plugin } from 'vite';

const ALL_STYLES = '@mantine/core/styles.layer.css';
const BASE_STYLES = '\0mantine-base-styles.css';
const baseFiles = ['baseline', 'default-css-variables', 'global'];
const MANTINE_MODULE = /@mantine\/core\/esm\/.*\.mjs$/;
/** A component imports its class names from a module named like its style sheet. */
const CLASS_NAMES_IMPORT = /from "[^"]*\/(\w+)\.module\.mjs"/g;

const styleOf = (component: string): string => `import '@mantine/core/styles/${component}.layer.css';`;

/**
 * Ships the styles of a Mantine component in the chunk of the component. All of them, 30 kB compressed, would delay the
 * first page. The import is the last one, so that the styles of what a component is made of come before its own.
 */
export const mantineStyles: Plugin = {
  name: 'mantine-styles',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source) => (source === ALL_STYLES ? BASE_STYLES : null),
  load: (id) =>
    id === BASE_STYLES ? baseFiles.map((file) => `@import '@mantine/core/styles/${file}.layer.css';`).join('\n') : null,
  transform(code, id) {
    if (!MANTINE_MODULE.test(id.replaceAll('\\', '/'))) return null;
    const components = new Set([...code.matchAll(CLASS_NAMES_IMPORT)].map(([, name = '']) => name));
    if (components.size === 0) return null;
    return { code: `${code}\n${[...components].map(styleOf).join('\n')}\n`, map: null };
  },
};
