import type { z } from 'zod';
import type { calls } from '#shared/api/calls.ts';

type Table = typeof calls;

/** Without the calls that answer with a file, which the browser opens by their address. */
type WithAnswer<Key extends keyof Table> = Table[Key] extends { answer: z.ZodType } ? Key : never;

/**
 * Every call, as its row in `shared/api/calls/` types it: `form` marks one that takes a multipart form with a file.
 * Types only: nothing of this file exists at run time.
 */
export type Routes = {
  [Key in keyof Table as WithAnswer<Key>]: Answer<Table[Key]> & Query<Table[Key]> & Body<Table[Key]> & Form<Table[Key]>;
};

/** The paths of the calls that answer with a file. */
export type FilePath = {
  [Key in keyof Table]: Table[Key] extends { fileTypes: readonly string[] }
    ? Key extends `GET ${infer Path}`
      ? Path
      : never
    : never;
}[keyof Table];

type Answer<Call> = Call extends { answer: infer Schema extends z.ZodType } ? { answer: z.output<Schema> } : never;

type Query<Call> = Call extends { query: infer Schema extends z.ZodType }
  ? { query: { [Name in keyof z.output<Schema>]?: QueryValue<NonNullable<z.output<Schema>[Name]>> } }
  : {};

/** A query travels as text, also a list of values (with commas); an empty value, null and undefined are not sent. */
type QueryValue<T> =
  | (T extends boolean ? 0 | 1 : T extends number ? number | string : T extends readonly unknown[] ? string : T)
  | ''
  | null
  | undefined;

type Body<Call> = Call extends { form: { orJson: true }; body: infer Schema extends z.ZodType }
  ? { body: RecordBody<Schema> }
  : Call extends { form: object }
    ? { body: never }
    : Call extends { body: infer Schema extends z.ZodType }
      ? { body: z.input<Schema> }
      : {};

/**
 * A record as its form holds it. A field is null while its text is not valid, and the server answers that with 422.
 * The tax type is a plain text in every answer, so that an edit sends it back as one.
 */
type RecordBody<Schema extends z.ZodType> = {
  [Name in keyof z.input<Schema>]: Name extends 'tax_type' ? string : z.input<Schema>[Name] | null;
};

type Form<Call> = Call extends { form: object } ? { form: true } : {};
