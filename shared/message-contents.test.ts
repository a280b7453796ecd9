import { expect, it } from 'vitest';
import { captionOf, previewByKind } from './message-contents.ts';

const nothing = { photos: 0, documents: 0, recordYear: null };
const BARE = '351518001200100340';
const WRITTEN = '35.15.180.012.001-0034.0';

it('shows the digits of a NOP in an older notice with its signs, and what a person wrote as it is', () => {
  const stored = `Bukti PBB 2026 · SPT ${BARE} dicocokkan. Permintaan NOP ${BARE} ditolak: NIP 198501012010011001`;
  const shown = `Bukti PBB 2026 · SPT ${WRITTEN} dicocokkan. Permintaan NOP ${WRITTEN} ditolak: NIP 198501012010011001`;
  for (const show of [captionOf, previewByKind]) {
    expect(show(stored, 'notice', nothing)).toBe(shown);
    expect(show(shown, 'notice', nothing)).toBe(shown);
    expect(show(stored, 'chat', nothing)).toBe(stored);
  }
  for (const other of [`SPT ${BARE}1`, `SPT ${BARE}a`, `NOP${BARE}`, 'SPT 35151800'])
    expect(captionOf(other, 'notice', nothing)).toBe(other);
});

it('shows them in the text of a notice whose photos have lines of their own', () => {
  const contents = { ...nothing, photos: 1 };
  expect(captionOf(`NOP ${BARE}\nFoto: sppt.jpg`, 'notice', contents)).toBe(`NOP ${WRITTEN}`);
});
