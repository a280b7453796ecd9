import { formatDate, formatTime, weekdayAndDate } from '#shared/domain/dates/date-labels.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { escapeMarkup } from '#shared/domain/escape-markup.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { transcriptText } from '#shared/transcript-text.ts';
import type { CopiedFile, OwnMessage } from './conversation.ts';
import { fileLink, PAGE_END, type PageAbout, pageHead } from './page-frame.ts';

const writeFile = ({ name, path, type }: CopiedFile): string =>
  path === null ? '' : fileLink(path, name, isPhoto(type));

function writeMessage(message: OwnMessage, timeZone: string): string {
  const time = `<time datetime="${message.at}">${formatTime(message.at, timeZone)}</time>`;
  const text = escapeMarkup(transcriptText({ ...message, content: message.text }));
  const files = message.files.map(writeFile).join('');
  return `<article class="${message.isOwn ? 'own' : 'office'}">\n<p class="by">${escapeMarkup(message.from)} · ${time}</p>\n<p dir="auto">${text}</p>\n${files}</article>\n`;
}

/** The conversation by days. */
export async function* writeTranscriptPage(
  messages: AsyncIterable<OwnMessage>,
  about: PageAbout,
): AsyncGenerator<string> {
  const { timeZone } = about;
  yield pageHead('Percakapan dengan kantor', about);
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
  yield PAGE_END;
}
