import { subscribe } from 'node:diagnostics_channel';
import { gunzipSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Compares every answer of every app in the tests with the OpenAPI document of that app: its status, its content type and its
 * body must be described, and the body may have nothing else. It sees the answers to injected requests and to real ones.
 */

type Answers = Record<string, { content?: Record<string, { schema?: object }> } | undefined>;
type Paths = Record<string, Record<string, { responses: Answers } | undefined> | undefined>;
type Document = { paths: Paths; components: object };
type Check = { paths: Paths; validators: Map<string, ValidateFunction>; differences: string[] };

const ERROR_SCHEMA = 'Galat';
const DOCUMENT_ID = 'openapi';

declare global {
  /** One for the worker and not one for each file: building and compiling the document takes a second. */
  var answerCheck: Check | undefined;
}

/** Starts the check, once in a worker. */
export function checkAnswers(): void {
  if (globalThis.answerCheck) return;
  globalThis.answerCheck = { paths: {}, validators: new Map(), differences: [] };
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    // Added before all other hooks, so it sees the body before it is compressed.
    fastify.addHook('onSend', async (request, reply, payload) => {
      const difference = findDifference(request, reply, payload);
      if (difference !== null) globalThis.answerCheck?.differences.push(difference);
      return payload;
    });
  });
}

/** @returns what differed since the last call */
export function takeDifferences(): string[] {
  return globalThis.answerCheck?.differences.splice(0) ?? [];
}

function findDifference({ method, url, routeOptions, server }: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const route = routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}');
  // Routes that only a test adds have no summary; api-docs.test.ts requires one of all others. A page of the client has no route.
  if (!('swagger' in server) || (route !== undefined && !routeOptions.schema?.summary)) return null;
  const { statusCode } = reply;
  // Every call over http may lead to https (R-ACME-21), so no description repeats it.
  if (statusCode === 308) return null;
  const [path] = url.split('?', 1);
  const place = `${method} ${route ?? path} answered ${statusCode}`;
  const type = String(reply.getHeader('content-type') ?? '').split(';', 1)[0] ?? '';
  if (route === undefined) {
    return statusCode >= 400 ? describeBody(server, place, ERROR_SCHEMA, type, payload, reply) : null;
  }

  const answers = findAnswers(server, route, method === 'HEAD' ? 'get' : method.toLowerCase());
  if (!answers) return `${place}, but the API documentation does not have this call`;
  const answer = answers[statusCode];
  if (!answer) return `${place}, which its description lacks: add it to the row of the call in shared/api/calls`;
  if (method === 'HEAD' || payload === undefined || payload === null || payload === '') return null;
  const media = answer.content?.[type];
  if (!media) return `${place} with the content type "${type}", which its description lacks`;
  if (type !== 'application/json' || !media.schema || 'format' in media.schema) return null;
  return describeBody(server, place, `${method} ${route} ${statusCode}`, type, payload, reply);
}

function documentOf(server: FastifyInstance): Document {
  return server.swagger() as unknown as Document;
}

function findAnswers(server: FastifyInstance, route: string, method: string): Answers | undefined {
  const { paths = {} } = globalThis.answerCheck ?? {};
  // Some apps have routes that others lack.
  if (!paths[route]?.[method]) Object.assign(paths, documentOf(server).paths);
  return paths[route]?.[method]?.responses;
}

/** @param name of a validator: that of the errors, or method, route and status */
function describeBody(
  server: FastifyInstance,
  place: string,
  name: string,
  type: string,
  payload: unknown,
  reply: FastifyReply,
): string | null {
  if (type !== 'application/json') return `${place} without JSON`;
  const validate = validatorOf(server, name);
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  if (!Buffer.isBuffer(bytes)) return `${place} with a body that is neither text nor bytes`;
  const json = reply.getHeader('content-encoding') === 'gzip' ? gunzipSync(bytes) : bytes;
  if (validate(JSON.parse(json.toString()))) return null;
  const [error] = validate.errors ?? [];
  return `${place}: ${error?.instancePath ?? ''} ${error?.message ?? ''} ${JSON.stringify(error?.params)}`;
}

let compiler: Ajv2020 | undefined;

function validatorOf(server: FastifyInstance, name: string): ValidateFunction {
  const known = globalThis.answerCheck?.validators.get(name);
  if (known) return known;
  compiler ??= createCompiler(documentOf(server));
  const [method = '', route = '', status = ''] = name.split(' ');
  const schema =
    name === ERROR_SCHEMA
      ? { $ref: `#/components/schemas/${ERROR_SCHEMA}` }
      : findAnswers(server, route, method.toLowerCase())?.[status]?.content?.['application/json']?.schema;
  const inDocument = JSON.stringify(schema ?? {}).replaceAll('"#/', `"${DOCUMENT_ID}#/`);
  const validate = compiler.compile(JSON.parse(inDocument) as object);
  globalThis.answerCheck?.validators.set(name, validate);
  return validate;
}

/** Refuses keywords that it does not know, so that no part of a description goes unchecked. */
export function createCompiler({ components }: { components: object }): Ajv2020 {
  const ajv = new Ajv2020({
    allowUnionTypes: true,
    formats: { binary: true, date: true, 'date-time': true, email: true, password: true },
  });
  ajv.addVocabulary(['components', 'example']);
  return ajv.addSchema({ $id: DOCUMENT_ID, components });
}
