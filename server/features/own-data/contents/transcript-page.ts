import { formatDate, formatTime, weekdayAndDate } from '#shared/domain/dates/date-labels.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { escapeMarkup } from '#shared/domain/escape-markup.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { transcriptText } from '#shared/transcript-text.ts';
import type { CopiedFile, OwnMessage } from './conversation.ts';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 44rem; padding: 1rem; }
h1 { font-size: 1.375rem; }
h2 { font-size: 1rem; margin: 2rem 0 .75rem; text-align: center; }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; margin: .5rem 15% .5rem 0; padding: .5rem .75rem; }
article.own { background: color-mix(in srgb, #0a7d5a 14%, transparent); margin: .5rem 0 .5rem 15%; }
article p { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: isolate; }
article .by { font-size: .875rem; opacity: .75; white-space: normal; }
img { border-radius: .375rem; display: block; height: auto; margin-top: .5rem; max-height: 24rem; max-width: 100%; }
a { display: inline-block; margin-top: .5rem; overflow-wrap: anywhere; }
@media (max-width: 30rem) { article { margin-right: 2rem; } article.own { margin-left: 2rem; } }
`;

const hrefOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

function writeFile({ name, path, type }: CopiedFile): string {
  if (path === null) return '';
  const href = hrefOf(path);
  if (!isPhoto(type)) return `<a href="${href}">${escapeMarkup(name)}</a>\n`;
  return `<a href="${href}"><img src="${href}" alt="${escapeMarkup(name)}" loading="lazy"></a>\n`;
}

function writeMessage(message: OwnMessage, timeZone: string): string {
  const by = `${escapeMarkup(message.from)} · <time datetime="${message.at}">${formatTime(message.at, timeZone)}</time>`;
  const text = escapeMarkup(transcriptText({ ...message, content: message.text }));
  return `<article${message.isOwn ? ' class="own"' : ''}>\n<p class="by">${by}</p>\n<p dir="auto">${text}</p>\n${message.files.map(writeFile).join('')}</article>\n`;
}

type About = { name: string; officeName: string; nowMs: number; timeZone: string };

/** The conversation as a page that opens from a folder, without a script and without the internet. */
export async function* writeTranscriptPage(
  messages: AsyncIterable<OwnMessage>,
  { name, officeName, nowMs, timeZone }: About,
): AsyncGenerator<string> {
  const made = formatDate(new Date(nowMs).toISOString(), timeZone);
  const head = [name, officeName, `salinan ${made}`].filter(Boolean).join(' · ');
  yield `<!doctype html>\n<html lang="id">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Percakapan dengan kantor</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Percakapan dengan kantor</h1>\n<p>${escapeMarkup(head)}</p>\n`;
  let day: string | null = null;
  for await (const message of messages) {
    const date = todayIn(timeZone, Date.parse(message.at));
    if (date !== day) {
      const { weekday } = weekdayAndDate(Date.parse(message.at), timeZone);
      yield `<h2>${weekday}, ${formatDate(date, timeZone)}</h2>\n`;
    }
    day = date;
    yield writeMessage(message, timeZone);
  }
  if (day === null) yield '<p>Belum ada pesan.</p>\n';
  yield '</main>\n</body>\n</html>\n';
}
