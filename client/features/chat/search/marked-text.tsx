type Props = { text: string; marks: readonly (readonly [number, number])[] };

/** A text with marked places. What the marks say may not fit the text: then it stands there without them. */
export function MarkedText({ text, marks }: Props) {
  const parts: { text: string; isMarked: boolean; from: number }[] = [];
  let end = 0;
  for (const [from, to] of marks) {
    if (from < end || to <= from || to > text.length) continue;
    if (from > end) parts.push({ text: text.slice(end, from), isMarked: false, from: end });
    parts.push({ text: text.slice(from, to), isMarked: true, from });
    end = to;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false, from: end });
  return parts.map((part) =>
    part.isMarked ? <mark key={part.from}>{part.text}</mark> : <span key={part.from}>{part.text}</span>,
  );
}
