import { dirname, posix } from 'node:path';

export type SourceFile = { path: string; text: string };

/** A string, or a comment: a block, or lines that follow each other. */
export const STRING_OR_COMMENT =
  /\/\*[\s\S]*?\*\/|(?:\/\/[^\n]*(?:\n[ \t]*(?=\/\/))?)+|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
const IMPORT = /\b(?:from|import|require)\s*\(?\s*['"]([^'"\n]+)['"]/g;

export const withoutComments = (text: string): string =>
  text.replace(STRING_OR_COMMENT, (token) => (token.startsWith('/') ? '' : token));

/** The imports of a file, read from its text: paths from the root of the project, or names of packages. */
export function importsOf({ path, text }: SourceFile): string[] {
  return [...withoutComments(text).matchAll(IMPORT)].map(([, name = '']) => {
    if (name.startsWith('#')) return name.slice(1);
    return name.startsWith('.') ? posix.join(dirname(path), name) : name;
  });
}
