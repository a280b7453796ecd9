/** Files as a user picks them; the bytes say what they are, as far as they go. */
const bytesOf = (head: string, size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(Math.max(size, head.length));
  for (const [index, character] of Array.from(head).entries()) bytes[index] = character.codePointAt(0) ?? 0;
  return bytes;
};

export const buildPhoto = (name = 'bukti.jpg', size = 2000): File =>
  new File([bytesOf('\u{FF}\u{D8}\u{FF}\u{E0}', size)], name, { type: 'image/jpeg' });
export const buildPdf = (name = 'surat.pdf', size = 2000): File =>
  new File([bytesOf('%PDF-1.7', size)], name, { type: 'application/pdf' });
/** As an iPhone makes it; only some browsers read it. */
export const buildHeic = (name = 'IMG_1.HEIC'): File =>
  new File([bytesOf('\0\0\0\u{18}ftypheic', 2000)], name, { type: 'image/heic' });
