import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

/**
 * Builds `/sw.js`, which knows every file of the client by its list, and gives the build a name by which a page notices
 * that the server has another one.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const PUBLIC_FOLDER = join(root, 'client/public');

/** The chunks of administrators hang on the dynamic imports of this file. */
const ADMIN_PAGES = 'client/app/admin-pages.ts';
/** The chunks (scripts/client-build/chunks.ts) without which a resident sees no page or no chat. */
const FIRST_CHUNKS = ['start', 'user', 'chat', 'panel', 'menu', 'overlays', 'login'];
/** The letters of Indonesian, and those of names; the files of other alphabets come with the first such letter. */
const FIRST_FONT = /inter-latin-wght-normal/;
const USER_FONT = /inter-latin-ext-wght-normal/;

/** The page has its own place in the list, and no browser needs a map. */
const NOT_KEPT = /\.(html|map)$/;

type Bundle = Rolldown.OutputBundle;
type Files = { first: string[]; user: string[]; admin: string[]; rest: string[] };
type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

const isModule = (id: string, path: string): boolean => id.replaceAll('\\', '/').endsWith(`/${path}`);

const publicFiles = (): string[] =>
  readdirSync(PUBLIC_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(PUBLIC_FOLDER, name)).isFile())
    .toSorted();

/** The chunks that a resident can load, by their file names. The graph of modules would also follow what was left out. */
function findUserChunks(chunks: Rolldown.OutputChunk[], graph: Graph): Set<string> {
  const chunkByFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const chunkByModule = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk.fileName])));
  const found = new Set<string>();
  const waiting = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const chunk = chunkByFile.get(file);
    if (!chunk || found.has(file)) continue;
    found.add(file);
    const ownModules = chunk.moduleIds.filter((id) => !isModule(id, ADMIN_PAGES));
    const lazyModules = ownModules.flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []);
    waiting.push(...chunk.imports, ...lazyModules.map((id) => chunkByModule.get(id) ?? ''));
  }
  return found;
}

/** Sorts the files of a bundle by who needs them, each file once and with its path on the server. */
function sortFiles(bundle: Bundle, graph: Graph): Files {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const userChunks = findUserChunks(chunks, graph);
  const chunkByFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const seen = new Set<string>();

  /** A chunk with what it imports, without what was sorted before. */
  function take(chunk: Rolldown.OutputChunk): string[] {
    if (seen.has(chunk.fileName)) return [];
    seen.add(chunk.fileName);
    const styles = [...(chunk.viteMetadata?.importedCss ?? [])].filter((file) => !seen.has(file));
    for (const file of styles) seen.add(file);
    const imported = chunk.imports.flatMap((file) => {
      const found = chunkByFile.get(file);
      return found ? take(found) : [];
    });
    return [...imported, chunk.fileName, ...styles];
  }

  const first = chunks.filter(({ name }) => FIRST_CHUNKS.includes(name)).flatMap(take);
  const user = chunks.filter(({ fileName }) => userChunks.has(fileName)).flatMap(take);
  const admin = chunks.flatMap(take);
  const others = Object.keys(bundle).filter((file) => !seen.has(file) && !NOT_KEPT.test(file));
  const page = String((bundle['index.html'] as Rolldown.OutputAsset | undefined)?.source);
  first.push(...others.filter((file) => FIRST_FONT.test(file) || page.includes(file)));
  user.push(...others.filter((file) => USER_FONT.test(file)));
  const rest = others.filter((file) => !first.includes(file) && !user.includes(file));
  const withPath = (files: string[]): string[] => files.map((file) => `/${file}`);
  return { first: withPath(first), user: withPath(user), admin: withPath(admin), rest: withPath(rest) };
}

/** The same files have the same name, whoever builds them. */
function nameBuild(bundle: Bundle): string {
  const hash = createHash('sha256');
  // The names of bundled files contain a hash of their content.
  for (const file of Object.keys(bundle).toSorted()) if (file !== 'index.html') hash.update(`${file}\n`);
  for (const file of publicFiles()) hash.update(`${file}\n`).update(readFileSync(join(PUBLIC_FOLDER, file)));
  return hash.digest('base64url').slice(0, 12);
}

export function serviceWorker(): Plugin {
  let files: Files | null = null;
  let name = '';
  return {
    name: 'service-worker',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html;
        name = nameBuild(bundle);
        return html.replace('<html ', `<html data-build="${name}" `);
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        files = sortFiles(bundle, this);
        this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify({ build: name }) });
      },
    },
    async writeBundle({ dir }) {
      if (!files || !dir) throw new Error('The files of the client are not known');
      const shell = {
        build: name,
        ...files,
        extra: publicFiles()
          .filter((file) => !file.startsWith('boot.js'))
          .map((file) => `/${file.replaceAll('\\', '/')}`),
      };
      await build({
        configFile: false,
        root,
        publicDir: false,
        logLevel: 'warn',
        define: { PBB_SHELL: JSON.stringify(shell) },
        plugins: this.environment.config.plugins.filter(({ name: pluginName }) => pluginName === 'bundled-packages'),
        build: {
          outDir: dir,
          emptyOutDir: false,
          target: 'es2022',
          modulePreload: false,
          rolldownOptions: {
            input: join(root, 'client/service-worker/main.ts'),
            // One classic script: not every browser takes modules here.
            output: { format: 'iife', entryFileNames: 'sw.js', codeSplitting: false },
          },
        },
      });
    },
  };
}
