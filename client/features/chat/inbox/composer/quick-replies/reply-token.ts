/** Where the text before the cursor begins a quick reply: '/' at the start of a word, and the letters after it. */
export type ReplyToken = { from: number; to: number; query: string };

const TOKEN = /(?:^|\s)\/([\p{L}\p{N}_-]*)$/u;

export function findReplyToken(text: string, cursor: number): ReplyToken | null {
  const query = TOKEN.exec(text.slice(0, cursor))?.[1];
  return query === undefined ? null : { from: cursor - query.length - 1, to: cursor, query };
}
