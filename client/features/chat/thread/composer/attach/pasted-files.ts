/** A browser calls every picture of the clipboard so. */
const CLIPBOARD_NAME = /^image\.(\w+)$/;

const withOwnName = (file: File): File => {
  const ending = CLIPBOARD_NAME.exec(file.name)?.[1];
  return ending === undefined ? file : new File([file], `gambar tempel.${ending}`, { type: file.type });
};

/** `hasText`: a spreadsheet, for example, copies its cells as text and as a picture. */
export type Pasted = { files: File[]; hasText: boolean };

export function readPasted({ files, types }: DataTransfer): Pasted {
  return { files: Array.from(files, withOwnName), hasText: types.includes('text/plain') };
}
