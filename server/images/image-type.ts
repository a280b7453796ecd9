/** The image types, each with its file name extension. A proof is no WebP (R-PROOF-1). */
export const IMAGE_TYPES = { jpg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' } as const;
export type ImageExtension = keyof typeof IMAGE_TYPES;

const signatures: readonly (readonly [ImageExtension, Buffer])[] = [
  ['jpg', Buffer.from([0xff, 0xd8, 0xff])],
  ['png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['gif', Buffer.from('GIF87a', 'latin1')],
  ['gif', Buffer.from('GIF89a', 'latin1')],
];

/** The image type by the bytes; null for everything else, whatever the name or the header says (R-PROOF-1). */
export function detectImageType(bytes: Buffer): ImageExtension | null {
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  if (isWebp) return 'webp';
  const match = signatures.find(([, signature]) => bytes.subarray(0, signature.length).equals(signature));
  return match?.[0] ?? null;
}
