import type { Browser } from '@playwright/test';

/** Bytes of an Exif block that says how the camera was held: 6 is a phone upright, so the picture is to be turned by 90°. */
function buildExif(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  const payload = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

/**
 * A photo of 12 megapixels as a phone makes it: a sheet with print, light that falls off, and the grain of a sensor. It is
 * stored lying and says that it is to be turned; upright, its top right corner is red.
 */
export async function takeCameraPhoto(browser: Browser, orientation = 6): Promise<Buffer> {
  const page = await browser.newPage();
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 4000;
    canvas.height = 3000;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('No canvas');
    const light = context.createLinearGradient(0, 0, 4000, 3000);
    light.addColorStop(0, '#f4efe4');
    light.addColorStop(1, '#8d877c');
    context.fillStyle = light;
    context.fillRect(0, 0, 4000, 3000);
    context.fillStyle = '#222';
    context.font = '44px sans-serif';
    for (let line = 0; line < 48; line += 1) {
      context.fillText(
        `Bukti pembayaran PBB ${line * 7919} Rp ${line * 45_000} tanggal ${1 + (line % 28)} Agustus`,
        700,
        120 + line * 60,
      );
    }
    const grain = new OffscreenCanvas(500, 500);
    const grainContext = grain.getContext('2d');
    if (!grainContext) throw new Error('No canvas');
    const pixels = grainContext.createImageData(500, 500);
    let seed = 1;
    for (let index = 0; index < pixels.data.length; index += 4) {
      seed = (seed * 48_271) % 2_147_483_647;
      pixels.data.fill(seed % 256, index, index + 3);
      pixels.data[index + 3] = 22;
    }
    grainContext.putImageData(pixels, 0, 0);
    context.fillStyle = context.createPattern(grain, 'repeat') ?? '#000';
    context.fillRect(0, 0, 4000, 3000);
    context.fillStyle = '#d01010';
    context.fillRect(0, 0, 600, 600);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.93));
    if (!blob) throw new Error('No JPEG');
    return new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => {
        const { result } = reader;
        resolve(typeof result === 'string' ? result.replace(/^.*,/, '') : '');
      });
      reader.readAsDataURL(blob);
    });
  });
  await page.close();
  const jpeg = Buffer.from(base64, 'base64');
  return Buffer.concat([jpeg.subarray(0, 2), buildExif(orientation), jpeg.subarray(2)]);
}
