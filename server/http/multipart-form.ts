import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseStrictNumber } from '#shared/domain/rupiah.ts';
import { BODY_MAX_BYTES, PROOF_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { AppError, badFormat } from './errors.ts';

export type FormFile = { bytes: Buffer; filename: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** The file of a multipart form, by field name. */
    formFiles: Map<string, FormFile>;
  }
}

/** How the text of a multipart form becomes the body that the JSON schema expects (contract 2). */
export type FormShape = {
  numbers: readonly string[];
  booleans: readonly string[];
  /** Fields that the form always carries: left out, they count as null. */
  nullWhenMissing: readonly string[];
  files: readonly string[];
};

export async function registerForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: PROOF_MAX_BYTES, files: 2, fields: 40, parts: 42, fieldSize: BODY_MAX_BYTES / 8 },
  });
  app.decorateRequest('formFiles');
  app.addHook('onRequest', async (request) => {
    request.formFiles = new Map();
  });
}

/** A preValidation hook: turns a multipart form into a body; leaves every other request alone. */
export function createFormParser(shape: FormShape) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!request.isMultipart()) return;
    try {
      request.body = await readParts(request, shape);
    } catch (error) {
      // What is still on its way is read and thrown away: otherwise the sender never gets to the answer, and the
      // connection serves nobody after it.
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
    // A browser sends a nameless empty file for an input that was left empty.
    if (bytes.length === 0 && !part.filename) continue;
    if (shape.files.includes(part.fieldname)) {
      request.formFiles.set(part.fieldname, { bytes, filename: part.filename });
    }
  }
  // No part at all is no form, and must not empty every field of a record.
  if (partCount === 0) return fields;
  return { ...Object.fromEntries(shape.nullWhenMissing.map((field) => [field, null])), ...fields };
}

/** Too large is told as such; everything else that the parser objects to is a malformed form. */
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
