/** The content that is injected into Node to make the single binary: the main script and its assets. */
export type SeaContent = {
  main: { name: string; code: Uint8Array };
  assets: ReadonlyMap<string, Uint8Array>;
  /** Options with which Node starts. */
  execArgv: string[];
};

const MAGIC = 0x0143da20;
const DISABLE_WARNING_FLAG = 1;
const INCLUDE_ASSETS_FLAG = 1 << 3;
const INCLUDE_EXEC_ARGV_FLAG = 1 << 4;

/**
 * The bytes after the flags, by major version of Node. The first is `execArgvExtension` (0: none). Node 26 adds the
 * module format (0: CommonJS).
 */
const BYTES_AFTER_FLAGS = new Map([
  [24, [0]],
  [26, [0, 0]],
]);

/**
 * Writes the blob of `node --experimental-sea-config`. That command writes only for its own Node version. This function
 * writes for every target with any Node. A test compares both outputs.
 * @param nodeVersion of the target's Node, as in "24.21.0"
 * @throws for a major version whose layout is unknown here
 */
export function writeSeaBlob(content: SeaContent, nodeVersion: string): Buffer {
  const bytesAfterFlags = BYTES_AFTER_FLAGS.get(Number(nodeVersion.split('.')[0]));
  if (!bytesAfterFlags) throw new Error(`bentuk isi untuk Node ${nodeVersion} belum dikenal (sea-blob.ts)`);
  const flags =
    DISABLE_WARNING_FLAG |
    (content.assets.size > 0 ? INCLUDE_ASSETS_FLAG : 0) |
    (content.execArgv.length > 0 ? INCLUDE_EXEC_ARGV_FLAG : 0);
  const parts: Uint8Array[] = [uint32(MAGIC), uint32(flags), Uint8Array.from(bytesAfterFlags)];
  parts.push(...lengthPrefixed(Buffer.from(content.main.name)), ...lengthPrefixed(content.main.code));
  if (content.assets.size > 0) {
    parts.push(uint64(content.assets.size));
    for (const [key, bytes] of content.assets)
      parts.push(...lengthPrefixed(Buffer.from(key)), ...lengthPrefixed(bytes));
  }
  if (content.execArgv.length > 0) {
    parts.push(uint64(content.execArgv.length));
    for (const option of content.execArgv) parts.push(...lengthPrefixed(Buffer.from(option)));
  }
  return Buffer.concat(parts);
}

const lengthPrefixed = (bytes: Uint8Array): [Uint8Array, Uint8Array] => [uint64(bytes.length), bytes];

// Every target is little-endian.
function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
