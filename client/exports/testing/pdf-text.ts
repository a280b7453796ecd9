/** Reads the texts of a PDF that client/exports/pdf.ts made, so that tests see what a reader sees. It does not read other PDFs. */

type PdfObjects = Map<string, { head: string; stream: string }>;

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const inflated = new Response(bytes).body?.pipeThrough(new DecompressionStream('deflate'));
  return latin1(new Uint8Array(await new Response(inflated).arrayBuffer()));
}

/** Decodes each byte as one character, the encoding of PDF syntax. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

async function readObjects(bytes: Uint8Array<ArrayBuffer>): Promise<PdfObjects> {
  const source = latin1(bytes);
  const objects: PdfObjects = new Map();
  for (const match of source.matchAll(/(\d+) 0 obj\n([\s\S]*?)(?:\nstream\n([\s\S]*?)\nendstream)?\nendobj/g)) {
    const [whole, id = '', head = '', compressed = ''] = match;
    const start = match.index + whole.indexOf('\nstream\n') + '\nstream\n'.length;
    const isCompressed = head.includes('/FlateDecode');
    objects.set(id, {
      head,
      stream: isCompressed ? await inflate(bytes.slice(start, start + compressed.length)) : compressed,
    });
  }
  return objects;
}

/** Glyph number → character, from the map that a PDF holds for copying text. */
function readUnicodeMap(cmap: string): Map<number, string> {
  const pairs = [...cmap.matchAll(/^<([0-9a-f]{4})><([0-9a-f]{4})>$/gim)];
  return new Map(
    pairs.map(([, glyph = '', code = '']) => [parseInt(glyph, 16), String.fromCharCode(parseInt(code, 16))]),
  );
}

/** The texts of each page, one line for each text drawn, in the order of drawing. */
export async function readPdfPages(file: Blob): Promise<string[]> {
  const objects = await readObjects(new Uint8Array(await file.arrayBuffer()));
  const fonts = new Map<string, Map<number, string>>();
  for (const { head } of objects.values()) {
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const mapId = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1];
      if (mapId) fonts.set(name, readUnicodeMap(objects.get(mapId)?.stream ?? ''));
    }
  }
  const pages = [...objects.values()].filter(({ head }) => head.includes('/Type /Page\n'));
  return pages.map(({ head }) => {
    const content = objects.get(/\/Contents (\d+) 0 R/.exec(head)?.[1] ?? '')?.stream ?? '';
    const lines: string[] = [];
    let glyphs: Map<number, string> | undefined;
    for (const [, font, hex] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9a-f]+)> Tj/gi)) {
      if (font) glyphs = fonts.get(font);
      if (hex) lines.push(hex.replaceAll(/.{4}/g, (code) => glyphs?.get(parseInt(code, 16)) ?? '\u0000'));
    }
    return lines.join('\n');
  });
}
