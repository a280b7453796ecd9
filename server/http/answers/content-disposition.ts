/** The name of a file in both of its forms (RFC 6266): in ASCII for old programs, and whole (RFC 5987). */
function describeName(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

export const describeDownload = (name: string): string => `attachment; ${describeName(name)}`;
export const describeInline = (name: string): string => `inline; ${describeName(name)}`;
