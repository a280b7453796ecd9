import { paths } from '#client/paths.ts';

/** Written by scripts/client-build/service-worker.ts. */
declare const PBB_SHELL: {
  build: string;
  /** Without these there is no page. */
  first: string[];
  /** The files that users load later, and those that only admins load. */
  user: string[];
  admin: string[];
  /** Kept with their first use: the makers of files, fonts of other alphabets. */
  rest: string[];
  /** Files with fixed names: icons and the manifest. */
  extra: string[];
};

/** Read once, because the build writes the whole list wherever the name stands. */
const shell = PBB_SHELL;
export const { build: BUILD, user: USER_FILES, admin: ADMIN_FILES, extra: EXTRA_FILES } = shell;

/** The one page of the client, for every address of it. */
export const PAGE = '/index.html';
/** The page stands last: when it is still of this build, so is what was fetched before it. */
export const FIRST_FILES: readonly string[] = [...shell.first, '/boot.js', PAGE];

const fixedFiles = new Set([...EXTRA_FILES, '/boot.js']);
const knownFiles = new Set([...FIRST_FILES, ...USER_FILES, ...ADMIN_FILES, ...shell.rest, ...EXTRA_FILES]);

/** The first parts of the addresses of the client. */
const areas = new Set(
  Object.values(paths)
    .filter((path) => typeof path === 'string')
    .map((path) => path.split('/')[1] ?? ''),
);

/** Names below this folder contain a hash of the content, so a copy from anywhere is the same file. */
export const isHashed = (path: string): boolean => path.startsWith('/assets/');
/** Whether a path is a file that the worker may answer: of this build, or of another one whose pages are still open. */
export const isFile = (path: string): boolean => isHashed(path) || fixedFiles.has(path);
export const isOfThisBuild = (path: string): boolean => knownFiles.has(path);
export const isFirst = (path: string): boolean => FIRST_FILES.includes(path);
/** Whether the client answers this address with its page; all others are the server's. */
export const isPage = (path: string): boolean => areas.has(path.split('/')[1] ?? '');
