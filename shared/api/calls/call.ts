import type { z } from 'zod';

/** The callers of a call: everybody, those with a session, or admins. */
export type Access = 'public' | 'session' | 'admin';

/** Until an account has done it, its sessions reach only what leads to it. */
export type FirstDuty = 'new password' | 'second factor';

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503 | 507;

/** Converts the text fields of a multipart form for the schema of the body (docs/requirements.md R-API-8, R-API-9). */
export type FormShape = {
  /** Whether the call also takes its fields as JSON. */
  orJson?: true;
  numbers?: readonly string[];
  booleans?: readonly string[];
  /** Fields that count as null when the form leaves them out. */
  nullWhenMissing?: readonly string[];
  files: readonly string[];
  /** The description of the files in the API documentation; without it that of proofs. */
  fileText?: string;
  /** Of one file, with the answer beyond it; without these as for proofs. */
  fileMaxBytes?: number;
  tooLargeText?: string;
};

/** One call of the REST API. The server registers it, the client's types and the API documentation are made from it. */
export type Call = {
  access: Access;
  /** Also for a session whose account must do this first (R-ACCESS-20, R-ACCESS-70). */
  before?: readonly FirstDuty[];
  /** The group, a title and more about it in the API documentation, in Indonesian. */
  tag: string;
  summary: string;
  description?: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Without it `JSON_MAX_BYTES`, and `SESSIONLESS_JSON_MAX_BYTES` for a public call. */
  bodyMaxBytes?: number;
  form?: FormShape;
  /** Also the filter that keeps everything else inside the server. */
  answer?: z.ZodType;
  /** The content types of a call that answers with a file instead. */
  fileTypes?: readonly string[];
  /** 200 without it. 202: the work goes on after the answer. 'new 201, else 200': the handler decides. */
  status?: 201 | 202 | 'new 201, else 200';
  /** A caller that has this version already gets 304. */
  hasEtag?: true;
  /** Errors beside those that every call of its kind can answer, each with an example text. */
  errors?: Partial<Record<ErrorStatus, string>>;
};

/** Calls by method and path below `/api`. `{name}` is a path parameter; it takes any text, and an unknown id answers 404. */
export type Calls = Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, Call>;

/** The names of the parameters in a path. */
export type PathParam<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParam<Rest> : never;
