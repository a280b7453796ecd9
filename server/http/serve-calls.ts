import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, RouteShorthandOptions } from 'fastify';
import { z } from 'zod';
import type { Call, Calls, PathParam } from '#shared/api/calls/call.ts';
import { JSON_MAX_BYTES, SESSIONLESS_JSON_MAX_BYTES } from '#shared/limits.ts';
import { contentAnswer } from './api-docs/openapi.ts';
import { createFormParser, type FormFile } from './bodies/multipart-form.ts';
import type { EncodedAnswer } from './answers/encoded-answer.ts';
import { API_PREFIX } from './http-server.ts';
import { sendEncoded } from './answers/list-caller.ts';
import type { CurrentUser, SessionGuards } from './session-guards.ts';

/** The input of a handler: the caller, and the request as the schemas of its row have read it. */
type Received<Key, C extends Call> = {
  currentUser: C['access'] extends 'public' ? null : CurrentUser;
  params: Record<PathParam<Key>, string>;
  query: C extends { query: infer Schema extends z.ZodType } ? z.output<Schema> : undefined;
  body: C extends { body: infer Schema extends z.ZodType } ? z.output<Schema> : undefined;
  /** The files of a multipart form, by field name. */
  files: ReadonlyMap<string, FormFile>;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** A handler of a file, of 304 or of another answer of its own sends it and returns the reply. */
type Answered<C extends Call> =
  | (C extends { answer: infer Schema extends z.ZodType } ? z.output<Schema> | EncodedAnswer : never)
  | (C extends { fileTypes: readonly string[] } | { hasEtag: true } ? FastifyReply : never);

type Handler<Key, C extends Call> = (received: Received<Key, C>) => Answered<C> | Promise<Answered<C>>;
type AnyHandler = (received: Record<keyof Received<string, Call>, unknown>) => unknown;
/** One handler for each call of a table; the compiler asks for those that are missing. */
export type Handlers<Table extends Calls> = {
  [Key in keyof Table]: Table[Key] extends Call ? Handler<Key, Table[Key]> : never;
};

/** Options that only a single route of the server needs, such as its own log level. */
export type RouteOptions<Table extends Calls> = { [Key in keyof Table]?: RouteShorthandOptions };

/** Registers the calls of a table: guard, schemas, status and documentation come from their rows in `shared/api/calls/`. */
export function serveCalls<Table extends Calls>(
  app: FastifyInstance,
  guards: SessionGuards,
  table: Table,
  handlers: Handlers<Table>,
  options: RouteOptions<Table> = {},
): void {
  for (const [key, call] of Object.entries<Call>(table)) {
    // The compiler has checked each handler against its row, so that they can be treated alike from here on.
    const handle = handlers[key as keyof Table] as unknown as AnyHandler;
    const route = routeOf(key, call, guards, handle);
    const own: RouteShorthandOptions = options[key as keyof Table] ?? {};
    // One route serves both: a second one for HEAD, as Fastify adds it, costs as much as the first.
    const method = route.method === 'GET' && own.exposeHeadRoute !== false ? ['GET', 'HEAD'] : route.method;
    app.route({ ...route, ...own, method, exposeHeadRoute: false });
  }
}

function guardOf({ access, before }: Call, guards: SessionGuards) {
  if (access === 'admin') return guards.requireAdmin;
  return before ? guards.requireSessionBefore(before) : guards.requireSession;
}

function routeOf(key: string, call: Call, guards: SessionGuards, handle: AnyHandler) {
  const [method = '', path = ''] = key.split(' ');
  const isPublic = call.access === 'public';
  const { bodyMaxBytes = isPublic ? SESSIONLESS_JSON_MAX_BYTES : JSON_MAX_BYTES } = call;
  return {
    method,
    url: API_PREFIX + path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyMaxBytes,
    ...(isPublic ? {} : { onRequest: guardOf(call, guards) }),
    ...(call.form ? { preValidation: createFormParser(call.form) } : {}),
    config: { ...(call.form ? { form: call.form } : {}), ...(call.errors ? { errors: call.errors } : {}) },
    schema: schemaOf(path, call),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { currentUser, params, query, body, formFiles } = request;
      const answer = await handle({ currentUser, params, query, body, files: formFiles, request, reply });
      if (typeof call.status === 'number') reply.code(call.status);
      return answer instanceof Uint8Array ? sendEncoded(reply, answer) : answer;
    },
  };
}

function schemaOf(
  path: string,
  { access, tag, summary, description, query, body, form, ...call }: Call,
): FastifySchema {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const answer = call.answer ?? contentAnswer(...(call.fileTypes ?? []));
  return {
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(access === 'public' ? { security: [] } : {}),
    ...(form ? { consumes: [...(form.orJson ? ['application/json'] : []), 'multipart/form-data'] } : {}),
    ...(names.length > 0 ? { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) } : {}),
    ...(query ? { querystring: query } : {}),
    ...(body ? { body } : {}),
    response: {
      ...(typeof call.status === 'number' ? { [call.status]: answer } : { 200: answer }),
      ...(call.status === 'new 201, else 200' ? { 201: answer } : {}),
      ...(call.hasEtag ? { 304: z.null() } : {}),
    },
  };
}
