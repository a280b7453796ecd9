import type { Plugin, Rolldown } from 'vite';

/**
 * The chunks of the client by name, each with the modules whose static imports it holds. What an earlier chunk holds
 * is left out of a later one. A chunk that is complete in this way imports only earlier ones, so that chunks never
 * import each other in a circle (docs/decisions/014-first-load.md).
 */
const chunkRoots: Record<string, RegExp> = {
  start: /client\/main\.tsx$/,
  user: /client\/(app\/layouts\/user\/user-layout|features\/dashboard\/user\/dashboard-page)\.tsx$/,
  chat: /client\/(app\/layouts\/user\/own-record-changes|features\/chat\/widget\/chat-widget)\.tsx$/,
  panel: /client\/features\/chat\/widget\/chat-panel\.tsx$/,
  menu: /client\/app\/layouts\/user\/user-menu\.tsx$/,
  overlays: /client\/app\/(overlays\/overlays|layouts\/user\/menu-drawer)\.tsx$/,
  lists: /client\/features\/tax-records\/own\/list\/list-page\.tsx$/,
  login: /client\/features\/auth\/(login|register)-page\.tsx$/,
  forms: /client\/features\/tax-records\/own\/(create|edit)-page\.tsx$/,
  admin: /client\/app\/(layouts\/admin\/admin-layout|pages\/admin-dashboard-page)\.tsx$/,
  codes: /client\/features\/auth\/(recover-page|card\/card-page)\.tsx$/,
  account: /client\/features\/account\/account-page\.tsx$/,
  cards: /client\/features\/users\/display\/(cards\/card-dialog|assisted\/assisted-dialog)\.tsx$/,
};

/** The chunks that `boot.js` loads in advance for the page that is opened. */
const PRELOADED_CHUNKS = ['user', 'menu', 'lists', 'admin'];

const BOOT_SCRIPT = '<script src="/boot.js">';

export const chunkGroups = Object.entries(chunkRoots).map(([name, roots]) => ({
  name,
  test: (id: string) => roots.test(id.replaceAll('\\', '/')),
}));

function filesOf(chunk: Rolldown.OutputChunk): string[] {
  return [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])].map((file) => `/${file}`);
}

/** Writes into the page which files the chunks are, because their names contain a hash. */
export const chunkNames: Plugin = {
  name: 'chunk-names',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      if (!bundle) return html;
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const names = PRELOADED_CHUNKS.map((name) => {
        const chunk = chunks.find((candidate) => candidate.name === name);
        if (!chunk) throw new Error(`no chunk named ${name}`);
        return `<meta name="chunk-${name}" content="${filesOf(chunk).join(' ')}" />`;
      });
      if (!html.includes(BOOT_SCRIPT)) throw new Error(`index.html has no ${BOOT_SCRIPT}`);
      return html.replace(BOOT_SCRIPT, `${names.join('\n    ')}\n    ${BOOT_SCRIPT}`);
    },
  },
};
