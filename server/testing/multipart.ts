export type FormUpload = { bytes: Buffer; field?: string; filename?: string; type?: string };

const BOUNDARY = 'form-boundary-7d1f0a';

/** Builds a multipart form as browsers send it; spread the result into the options of `test.call`. */
export function buildForm(fields: Record<string, string>, upload?: FormUpload) {
  const texts = Object.entries(fields).map(([name, value]) => part(`form-data; name="${name}"`, Buffer.from(value)));
  const files = upload ? [filePart(upload)] : [];
  return {
    payload: Buffer.concat([...texts, ...files, Buffer.from(`--${BOUNDARY}--\r\n`)]),
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

const signatures = {
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  jpg: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  gif: Buffer.from('GIF89a', 'latin1'),
};

/** Builds bytes with the signature of an image, then zeros. */
export function buildImage(kind: keyof typeof signatures = 'png', sizeBytes = 64): Buffer {
  return Buffer.concat([signatures[kind], Buffer.alloc(sizeBytes)], sizeBytes);
}
