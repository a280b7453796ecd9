/**
 * U+0000 is taken out of every text of a client before it is checked (docs/requirements.md R-API-21): PostgreSQL cannot store it.
 * Lone surrogates need no such step, because both engines store U+FFFD in their place.
 */

export const withoutNul = (text: string): string => text.replaceAll('\0', '');

const ESCAPED_NUL = String.raw`\u0000`;

/** Whether a JSON text may have U+0000: without an escape it is no JSON. A body without it costs no more than this look. */
export const mayHaveNul = (json: Buffer): boolean => json.includes(ESCAPED_NUL);

/**
 * Takes the escapes out of the names and texts of JSON. An escaped backslash before `u0000` is none. Several are matched at once,
 * because a body may be full of them.
 */
export const withoutEscapedNul = (json: string): string =>
  json.replaceAll(/(?:\\u0000){1,64}|(?:\\[^u]){1,64}/g, (escapes) => (escapes.startsWith(ESCAPED_NUL) ? '' : escapes));

const cleanValue = (value: unknown): unknown => {
  if (typeof value === 'string') return withoutNul(value);
  return Array.isArray(value)
    ? value.map((item: unknown) => (typeof item === 'string' ? withoutNul(item) : item))
    : value;
};

/** The same fields without U+0000 in their names and in their texts and lists of texts: a query, a path, a client event. */
export const withoutNulFields = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [withoutNul(name), cleanValue(value)]));
