/** The variables of a quick reply, which the server fills in with the figures of one user (R-REPLY-4). */
export const REPLY_VARIABLES = [
  'nama',
  'nama_depan',
  'jumlah_tunggakan',
  'daftar_tunggakan',
  'jatuh_tempo_terdekat',
  'admin',
  'jam_layanan',
] as const;
export type ReplyVariable = (typeof REPLY_VARIABLES)[number];

/** `{variable}`, or `{?prompt}` that the admin fills in. Other braces are plain text. */
const PLACEHOLDER = /\{(?:\?([^{}\n]+)|([a-z][a-z0-9_]*))\}/gi;

/** The name of what a placeholder asks for, without braces and question mark; null for plain text. */
function nameOf(prompt: string | undefined, variable: string | undefined): string | null {
  return prompt === undefined ? (variable ?? null) : prompt.trim() || null;
}

export type Placeholder = { from: number; to: number; name: string; isPrompt: boolean };

/** The placeholders of a text, in its order. `to` is the place after the last character. */
export function findPlaceholders(text: string): Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap((match) => {
    const name = nameOf(match[1], match[2]);
    return name === null
      ? []
      : [{ from: match.index, to: match.index + match[0].length, name, isPrompt: match[1] !== undefined }];
  });
}

/** The variables of a template that do not exist, each once: most likely a slip. */
export function unknownVariables(template: string): string[] {
  const known: ReadonlySet<string> = new Set(REPLY_VARIABLES);
  const names = findPlaceholders(template).flatMap(({ name, isPrompt }) =>
    isPrompt || known.has(name.toLowerCase()) ? [] : name,
  );
  return [...new Set(names)];
}

/**
 * Puts values into a template. A value is inserted as it is: braces in it mean nothing. What has no value stays in the
 * text, like every prompt, and is in `missing`, each name once.
 * @param fits asked of the whole text with each value; one that makes it too long is missing
 */
export function fillTemplate(
  template: string,
  values: Readonly<Record<ReplyVariable, string | null>>,
  fits: (text: string) => boolean = () => true,
): { text: string; missing: string[] } {
  const byName = new Map<string, string | null>(Object.entries(values));
  const missing = new Set<string>();
  let text = '';
  let end = 0;
  for (const { from, to, name, isPrompt } of findPlaceholders(template)) {
    const value = isPrompt ? null : (byName.get(name.toLowerCase()) ?? null);
    text += template.slice(end, from);
    end = to;
    if (value !== null && fits(text + value + template.slice(to))) {
      text += value;
    } else {
      missing.add(name);
      text += template.slice(from, to);
    }
  }
  return { text: text + template.slice(end), missing: [...missing] };
}
