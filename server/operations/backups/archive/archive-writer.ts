import { ARCHIVE_FORMAT, type ArchiveEntry, type FolderManifest } from './manifest.ts';

/** The manifest without the list of entries. */
export type ArchiveAbout = Omit<FolderManifest, 'entries' | 'format' | 'size_bytes'>;

/** Writes one archive from start to end, in one of the two forms. */
export type ArchiveWriter = {
  /** For content that fits into memory: a proof has a few megabytes. */
  addBytes: (name: string, bytes: Buffer) => Promise<void>;
  /** For large content that is made piece by piece. */
  addPieces: (name: string, make: (write: (piece: Buffer) => Promise<void>) => Promise<void>) => Promise<void>;
  /**
   * Takes an entry of the archive before.
   * @param sha256 what it must have, where the caller knows it
   * @returns false when there is no such entry, or it is damaged
   */
  share: (name: string, sha256?: string) => Promise<boolean>;
  /** Adds the manifest and syncs everything. */
  finish: (about: ArchiveAbout) => Promise<FolderManifest>;
  /** Removes the unfinished archive. */
  abort: () => void;
};

/** The size stands near the beginning, where the list of archives looks for it. */
export const buildManifest = (about: ArchiveAbout, entries: readonly ArchiveEntry[]): FolderManifest => ({
  format: ARCHIVE_FORMAT,
  size_bytes: entries.reduce((total, { size }) => total + size, 0),
  ...about,
  entries: [...entries],
});
