import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseStrictNumber } from '#shared/domain/rupiah.ts';
import { BODY_MAX_BYTES, PROOF_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { AppError, badFormat } from './errors.ts';
import { createFormEncodingCheck } from './text-encoding.ts';

export type FormFile = { bytes: Buffer; filename: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** The file of a multipart form, by field name. */
    formFiles: Map<string, FormFile>;
  }
}

/** Converts the text fields of a multipart form for the JSON schema (docs/requirements.md R-API-8, R-API-9). */
export type FormShape = {
  numbers: readonly string[];
  booleans: readonly string[];
  /** Fields that count as null when the form leaves them out. */
  nullWhenMissing: readonly string[];
  files: readonly string[];
};

const FIELD_MAX_BYTES = BODY_MAX_BYTES / 8;

export async function registerForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: PROOF_MAX_BYTES, files: 2, fields: 40, parts: 42, fieldSize: FIELD_MAX_BYTES },
  });
  app.decorateRequest('formFiles');
  app.addHook('onRequest', async (request) => {
    request.formFiles = new Map();
  });
}

/** @returns a preValidation hook that turns a multipart form into a body and ignores every other request */
export function createFormParser(shape: FormShape) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!request.isMultipart()) return;
    const encoding = createFormEncodingCheck(request.headers['content-type'] ?? '', FIELD_MAX_BYTES);
    request.raw.on('data', encoding.write);
    try {
      request.body = await readParts(request, shape);
      if (!encoding.isUtf8()) throw badFormat();
    } catch (error) {
      // The rest of the body is read and discarded: otherwise the client never reads the answer, and the connection
      // cannot be used again.
      request.raw.unpipe();
      request.raw.resume();
      throw isTooLarge(error) ? error : badFormat();
    }
  };
}

async function readParts(request: FastifyRequest, shape: FormShape): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  let partCount = 0;
  for await (const part of request.parts()) {
    partCount += 1;
    if (part.type === 'field') {
      if (part.valueTruncated) throw new AppError(413, errorTexts.bodyTooLarge);
      fields[part.fieldname] = readField(shape, part.fieldname, part.value);
      continue;
    }
    const bytes = await part.toBuffer();
    // Browsers send an empty file without a name for an empty file input.
    if (bytes.length === 0 && !part.filename) continue;
    if (shape.files.includes(part.fieldname)) {
      request.formFiles.set(part.fieldname, { bytes, filename: part.filename });
    }
  }
  // A form without parts must not set every field of a record to null.
  if (partCount === 0) return fields;
  return { ...Object.fromEntries(shape.nullWhenMissing.map((field) => [field, null])), ...fields };
}

/** Only these errors keep their own answer; all other errors of the parser mean a malformed form. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof AppError) return true;
  return error instanceof Error && 'statusCode' in error && error.statusCode === 413;
}

function readField(shape: FormShape, field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (shape.numbers.includes(field)) return parseStrictNumber(value.trim()) ?? value;
  if (shape.booleans.includes(field)) {
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
  }
  return value;
}
