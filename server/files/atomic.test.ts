import type * as fileSystem from 'node:fs';
import type * as fileSystemPromises from 'node:fs/promises';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  errorCode,
  errorCodeOrText,
  renameAndSyncFolder,
  restrictToOwner,
  syncFolderSync,
  writeFileAtomic,
  writeFileAtomicSync,
} from './atomic.ts';

/** The operations that reached the disk, in order, and whether the next write of content fails half-way. */
const disk = vi.hoisted(() => ({ calls: [] as string[], isFull: false }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof fileSystem>();
  return {
    ...fs,
    writeFileSync: (file: number | string, content: string | Uint8Array) => {
      if (typeof file === 'string' || !disk.isFull) return fs.writeFileSync(file, content);
      fs.writeFileSync(file, content.slice(0, content.length / 2));
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    },
    fsyncSync: (handle: number) => {
      disk.calls.push(fs.fstatSync(handle).isDirectory() ? 'sync folder' : 'sync file');
      fs.fsyncSync(handle);
    },
    renameSync: (from: string, to: string) => {
      disk.calls.push('rename');
      fs.renameSync(from, to);
    },
  };
});

vi.mock('node:fs/promises', async (importOriginal) => {
  const fs = await importOriginal<typeof fileSystemPromises>();
  return {
    ...fs,
    open: async (...openArguments: Parameters<typeof fs.open>) => {
      const handle = await fs.open(...openArguments);
      const isDirectory = (await handle.stat()).isDirectory();
      return {
        writeFile: async (content: string | Uint8Array) => {
          if (!disk.isFull) return handle.writeFile(content);
          await handle.writeFile(content.slice(0, content.length / 2));
          throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        },
        sync: async () => {
          disk.calls.push(isDirectory ? 'sync folder' : 'sync file');
          await handle.sync();
        },
        close: () => handle.close(),
      };
    },
    rename: async (from: string, to: string) => {
      disk.calls.push('rename');
      await fs.rename(from, to);
    },
  };
});

beforeEach(() => {
  disk.calls = [];
  disk.isFull = false;
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-atomic-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.each([
  { name: 'writeFileAtomic', write: writeFileAtomic },
  {
    name: 'writeFileAtomicSync',
    write: async (...writeArguments: Parameters<typeof writeFileAtomicSync>) => writeFileAtomicSync(...writeArguments),
  },
])('$name', ({ write }) => {
  it('creates a file and replaces it, and leaves no other file', async () => {
    const folder = createFolder();
    const file = join(folder, 'file');
    await write(file, 'first');
    await write(file, Buffer.from('second'));
    expect(readFileSync(file, 'utf8')).toBe('second');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('syncs the content before the rename, and the folder after it', async () => {
    await write(join(createFolder(), 'file'), 'content');
    expect(disk.calls).toEqual(['sync file', 'rename', 'sync folder']);
  });

  it('keeps the existing file and no temporary file when the disk is full half-way', async () => {
    const folder = createFolder();
    const file = join(folder, 'file');
    writeFileSync(file, 'old content');
    disk.isFull = true;
    await expect(write(file, 'new content')).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readFileSync(file, 'utf8')).toBe('old content');
    expect(readdirSync(folder)).toEqual(['file']);
    expect(disk.calls).toEqual([]);
  });

  it('keeps the existing file and no temporary file when the rename fails', async () => {
    const folder = createFolder();
    const occupied = join(folder, 'occupied');
    mkdirSync(join(occupied, 'inside'), { recursive: true });
    await expect(write(occupied, 'content')).rejects.toThrow(/EISDIR|ENOTEMPTY|EPERM/);
    expect(readdirSync(folder)).toEqual(['occupied']);
    expect(existsSync(join(occupied, 'inside'))).toBe(true);
  });

  it('reports the first error when the temporary file cannot be removed either', async () => {
    const folder = createFolder();
    const file = join(folder, 'file');
    mkdirSync(`${file}.new`);
    await expect(write(file, 'content')).rejects.toMatchObject({ code: 'ERR_FS_EISDIR' });
    expect(readdirSync(folder)).toEqual(['file.new']);
  });

  it.skipIf(process.platform === 'win32')('gives the file to its owner only, whatever a crash left', async () => {
    const folder = createFolder();
    const file = join(folder, 'file');
    writeFileSync(`${file}.new`, 'half', { mode: 0o666 });
    chmodSync(`${file}.new`, 0o666);
    await write(file, 'content');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform === 'win32')('takes another temporary name and other rights', async () => {
    const folder = createFolder();
    const file = join(folder, 'file');
    writeFileSync(`${file}.new`, 'of another program');
    await write(file, 'content', { temporaryFile: join(folder, 'other.part'), mode: 0o700 });
    expect(statSync(file).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).toSorted()).toEqual(['file', 'file.new']);
  });
});

describe('renameAndSyncFolder', () => {
  it('renames a file and then syncs its folder', () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'part'), 'content');
    renameAndSyncFolder(join(folder, 'part'), join(folder, 'file'));
    expect(readdirSync(folder)).toEqual(['file']);
    expect(disk.calls).toEqual(['rename', 'sync folder']);
  });
});

describe('syncFolderSync', () => {
  it('ignores a folder that cannot be opened', () => {
    expect(() => syncFolderSync(join(createFolder(), 'missing'))).not.toThrow();
  });
});

describe('restrictToOwner', () => {
  it.skipIf(process.platform === 'win32')('takes the rights of all others away', () => {
    const file = join(createFolder(), 'file');
    writeFileSync(file, 'content');
    chmodSync(file, 0o644);
    restrictToOwner(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('ignores a file that does not exist', () => {
    expect(() => restrictToOwner(join(createFolder(), 'missing'))).not.toThrow();
  });
});

describe('errorCode', () => {
  it.each([
    [Object.assign(new Error('full'), { code: 'ENOSPC' }), 'ENOSPC', 'ENOSPC'],
    [new Error('plain'), undefined, 'Error: plain'],
    [Object.assign(new Error('odd'), { code: 7 }), undefined, 'Error: odd'],
    [{ code: 'ENOSPC' }, undefined, '[object Object]'],
    ['text', undefined, 'text'],
  ])('reads the code of %o as %s', (error, code, text) => {
    expect(errorCode(error)).toBe(code);
    expect(errorCodeOrText(error)).toBe(text);
  });
});
