import { buildGif, buildJpeg, buildPng } from './images.ts';

export type FormUpload = { bytes: Buffer; field?: string; filename?: string; type?: string };

const BOUNDARY = 'form-boundary-7d1f0a';

/** Builds a multipart form as browsers send it; spread the result into the options of `test.call`. */
export function buildForm(fields: Record<string, string>, ...uploads: (FormUpload | undefined)[]) {
  const texts = Object.entries(fields).map(([name, value]) => part(`form-data; name="${name}"`, Buffer.from(value)));
  return {
    payload: Buffer.concat([
      ...texts,
      ...uploads.flatMap((upload) => (upload ? [filePart(upload)] : [])),
      Buffer.from(`--${BOUNDARY}--\r\n`),
    ]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

function filePart({ bytes, field = 'payment_proof', filename = 'bukti.png', type = 'image/png' }: FormUpload): Buffer {
  return part(`form-data; name="${field}"; filename="${filename}"`, bytes, type);
}

function part(disposition: string, content: Buffer, type?: string): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')]);
}

const builders = { png: buildPng, jpg: buildJpeg, gif: buildGif };

/** Builds an image that the server stores unchanged, with as many zeros as the size needs; a GIF may be a little smaller. */
export function buildImage(kind: keyof typeof builders = 'png', sizeBytes = 100): Buffer {
  const empty = builders[kind]({ picture: Buffer.alloc(0) });
  const lengthBytes = kind === 'gif' ? Math.ceil(sizeBytes / 256) : 0;
  return builders[kind]({ picture: Buffer.alloc(sizeBytes - empty.length - lengthBytes) });
}
