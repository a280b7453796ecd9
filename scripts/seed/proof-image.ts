import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 360;
const HEIGHT = 480;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Draws a payment receipt as PNG: paper, a coloured head and bars for text. Colour and bars depend on the seed. */
export function drawPaymentProof(seed: number): Buffer {
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  const [paper, head, ink] = [0, 1, 2];
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const line = Math.floor((y - 110) / 28);
      const lineEnd = 60 + (((seed + 3) * (line + 7) * 37) % (WIDTH - 120));
      const isText = y > 110 && y < HEIGHT - 60 && (y - 110) % 28 < 9 && x > 30 && x < lineEnd + 30;
      rows[y * (WIDTH + 1) + 1 + x] = y < 70 ? head : isText ? ink : paper;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // 8 bits per pixel, colour type 3: each byte is an index into the palette.
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from([
    0xfb,
    0xfa,
    0xf5,
    40 + ((seed * 53) % 120),
    90 + ((seed * 29) % 80),
    130,
    0x4a,
    0x4f,
    0x57,
  ]);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
