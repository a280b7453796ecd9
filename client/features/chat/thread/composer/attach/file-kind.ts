/** What the first bytes of a file say. `image`: the browser calls it one, and may be able to read it. */
export type FileKind = 'photo' | 'pdf' | 'heic' | 'image' | 'other' | 'empty';

const HEAD_BYTES = 16;
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/** The bytes as characters, each of them one. */
const textOf = (bytes: Uint8Array): string => String.fromCodePoint(...bytes);

/** @returns null when the file cannot be read, for example one that lies only in a cloud */
export async function readFileKind(file: File): Promise<FileKind | null> {
  if (file.size === 0) return 'empty';
  try {
    const head = textOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
    if (head.startsWith('\u{FF}\u{D8}\u{FF}') || head.startsWith('\u{89}PNG\r\n') || head.startsWith('GIF8'))
      return 'photo';
    if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'photo';
    if (head.startsWith('%PDF-')) return 'pdf';
    if (head.slice(4, 8) === 'ftyp' && HEIC_BRANDS.has(head.slice(8, 12))) return 'heic';
    return file.type.startsWith('image/') ? 'image' : 'other';
  } catch {
    return null;
  }
}
