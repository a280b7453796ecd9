import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Call, ErrorStatus } from '#shared/api/calls/call.ts';
import type { ErrorAnswer } from '#shared/api/envelope.ts';
import { APP_NAME } from '#shared/labels.ts';
import { accessTexts, errorTexts, fieldTexts } from '#shared/texts.ts';
import { APP_VERSION } from '#server/process/version.ts';

const statusTexts: Record<ErrorStatus, string> = {
  400: 'Permintaan tidak dapat dibaca',
  401: 'Tanpa sesi yang berlaku, atau password salah',
  403: 'Tidak berhak',
  404: 'Tidak ditemukan',
  409: 'Bertentangan dengan keadaan sekarang; tidak ada yang disimpan',
  413: 'Kiriman terlalu besar',
  415: 'Berkas bukan gambar yang diterima',
  422: 'Isian tidak valid; errors memuat pesannya per bidang',
  429: 'Terlalu banyak percobaan',
  500: 'Kesalahan server',
  503: 'Server sibuk',
  507: 'Penyimpanan penuh',
};
/** Errors by status, each with a message that it may have. */
type ErrorTexts = NonNullable<Call['errors']>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Errors of this call, for the documentation, beside those that every call of its kind can answer. */
    errors?: ErrorTexts;
    /** Set for a call that takes a multipart form. */
    form?: NonNullable<Call['form']>;
  }
}

/** The schema of an answer that is not JSON, by its content types. Answers are sent as they are. */
export function contentAnswer(...types: string[]) {
  const schema = z.unknown().meta({ type: 'string', format: 'binary' });
  return { content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

const isPublic = ({ security }: FastifySchema): boolean => security?.length === 0;

/** The errors that a call can answer because of what it takes and does (R-API-13). */
function errorsOf({ method, url, schema = {}, config }: RouteOptions): ErrorTexts {
  const isWrite = method !== 'GET';
  const isAdminCall = url.startsWith('/api/admin/');
  return {
    400: errorTexts.badFormat,
    // The rights are checked again when a change is written, because they may have changed meanwhile.
    ...(isPublic(schema)
      ? {}
      : {
          401: errorTexts.sessionEnded,
          403: isAdminCall || isWrite ? errorTexts.forbidden : accessTexts.changePassword,
        }),
    ...(url.includes('/:') ? { 404: errorTexts.pathMissing } : {}),
    ...(isWrite ? { 413: errorTexts.bodyTooLarge, 507: errorTexts.storageFull } : {}),
    ...(schema.body ? { 422: fieldTexts.nameRequired } : {}),
    ...(config?.form
      ? {
          413: config.form.tooLargeText ?? errorTexts.proofTooLarge,
          415: errorTexts.proofNotImage,
          429: errorTexts.rateLimited(30),
        }
      : {}),
    500: errorTexts.server,
    503: errorTexts.busy,
    ...config?.errors,
  };
}

/** The answer to an empty body; null when the body may be empty. */
function exampleOfInvalidBody(body: unknown): ErrorAnswer | null {
  const issues = body instanceof z.ZodType ? body.safeParse({}).error?.issues : undefined;
  if (!issues) return null;
  const errors = Object.groupBy(issues, ({ path }) => String(path[0]));
  const texts = Object.entries(errors).map(([field, found = []]) => [field, found.map(({ message }) => message)]);
  return { success: false, message: issues[0]?.message ?? '', errors: Object.fromEntries(texts) };
}

function describeErrors(route: RouteOptions): Operation['responses'] {
  const described = Object.entries(errorsOf(route)).map(([status, message]) => {
    const invalidBody = status === '422' && !route.config?.errors?.[422] && exampleOfInvalidBody(route.schema?.body);
    const example: ErrorAnswer = invalidBody || { success: false, message };
    const retryAfter = { description: 'Detik sampai percobaan berikutnya', schema: { type: 'integer', minimum: 1 } };
    const answer = {
      description: statusTexts[Number(status) as ErrorStatus],
      ...(status === '429' ? { headers: { 'Retry-After': retryAfter } } : {}),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Galat' }, example } },
    };
    return [status, answer];
  });
  return Object.fromEntries(described) as Operation['responses'];
}

type Media = { schema?: { properties?: object; [keyword: string]: unknown } };
type Operation = {
  parameters?: { schema?: { default?: unknown } }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string }>;
};

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';

/** Adds to an operation what the plugin cannot read from the schemas of a route. */
function completeOperation(operation: Operation, route: RouteOptions): void {
  for (const answer of Object.values(operation.responses)) answer.description = 'Berhasil';
  if (operation.responses['304']) operation.responses['304'].description = 'Tidak berubah';
  const errors = describeErrors(route);
  for (const [status, answer] of Object.entries(operation.responses)) {
    // An error answer of the route's own has another body than all others.
    const known = errors[status];
    if (known) answer.description = known.description;
  }
  operation.responses = { ...errors, ...operation.responses };
  // A filter that no row can match becomes null inside the server. That is no default of the parameter.
  for (const { schema } of operation.parameters ?? []) if (schema?.default === null) delete schema.default;
  if (!operation.requestBody) return;
  const { content } = operation.requestBody;
  const { form } = route.config ?? {};
  const mayBeAbsent = route.schema?.body instanceof z.ZodType && route.schema.body.safeParse(undefined).success;
  operation.requestBody.required = !mayBeAbsent || !(JSON_TYPE in content);
  const formMedia = content[FORM_TYPE];
  if (!form || !formMedia) return;
  const { fileText = 'Gambar JPG, PNG, atau GIF; paling besar 5 MB' } = form;
  const image = { type: 'string', format: 'binary', description: fileText };
  const images = Object.fromEntries(form.files.map((field) => [field, image]));
  content[FORM_TYPE] = {
    schema: { ...formMedia.schema, properties: { ...formMedia.schema?.properties, ...images } },
  };
}

/** Collects the schemas of all routes that are registered after it. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  const routes = new Map<string, RouteOptions>();
  const keyOf = (method: string, url: string): string => `${method.toLowerCase()} ${url}`;

  const transform: SwaggerTransform = (source) => {
    const transformed = jsonSchemaTransform(source);
    const path = transformed.url.replaceAll(/:(\w+)/g, '{$1}');
    for (const method of [source.route.method].flat()) routes.set(keyOf(method, path), source.route);
    return transformed;
  };
  const transformObject: SwaggerTransformObject = (source) => {
    const document = dropUnusedSchemas(jsonSchemaTransformObject(source));
    for (const [path, operations] of Object.entries(document.paths ?? {})) {
      // HEAD comes with every GET.
      delete operations?.head;
      for (const [method, operation] of Object.entries(operations ?? {})) {
        const route = routes.get(keyOf(method, path));
        if (route) completeOperation(operation as Operation, route);
      }
    }
    return document;
  };

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${APP_NAME}: API`,
        version: APP_VERSION,
        description:
          'Semua panggilan REST aplikasi ini. Masuk lewat POST /api/auth/login, lalu kirim token sebagai "Authorization: Bearer …". Kesalahan selalu berbentuk { success: false, message, errors? }.',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ token: [] }],
    },
    transform,
    transformObject,
  });
}

type OpenApiDocument = Exclude<ReturnType<typeof jsonSchemaTransformObject>, { swagger: string }>;

/** Removes schemas without a reference: the library makes one for requests and one for answers of each. */
function dropUnusedSchemas(document: ReturnType<typeof jsonSchemaTransformObject>): OpenApiDocument {
  if (!('openapi' in document)) throw new Error('not an OpenAPI document');
  const schemas = document.components?.schemas ?? {};
  // Repeated, because a removed schema may hold the last reference to another one.
  for (let unused = ['']; unused.length > 0;) {
    const text = JSON.stringify(document);
    const isUsed = (name: string): boolean => name === 'Galat' || text.includes(`"#/components/schemas/${name}"`);
    unused = Object.keys(schemas).filter((name) => !isUsed(name));
    for (const name of unused) delete schemas[name];
  }
  return document;
}
