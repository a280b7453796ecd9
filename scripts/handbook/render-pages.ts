import { escapeMarkup } from '#shared/domain/escape-markup.ts';
import { HANDBOOK_PATH } from '#shared/handbook.ts';
import { APP_NAME } from '#shared/labels.ts';
import type { Chapter, Handbook, Heading } from './chapters.ts';
import { addressOf, type FindPicture, renderTokens } from './render-tokens.ts';

export const STYLE_FILE = 'panduan.css';
const CONTENTS_ID = 'isi';

/** Every page of the handbook by the name of its file: the list of chapters, and one for each chapter. */
export function renderPages(handbook: Handbook, findPicture: FindPicture): Map<string, string> {
  const { chapters, title } = handbook;
  const pages = new Map([['index.html', renderPage(title.text, renderContents(handbook, findPicture))]]);
  chapters.forEach((chapter, index) => {
    const others = { before: chapters[index - 1], after: chapters[index + 1] };
    pages.set(`${chapter.id}.html`, renderPage(chapter.text, renderChapter(handbook, findPicture, chapter, others)));
  });
  return pages;
}

/** One page, without a script and with nothing inline that the content security policy would refuse. */
function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="id">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${escapeMarkup(title)} · ${APP_NAME}</title>
<link rel="icon" href="/icons/icon-192.png" />
<link rel="stylesheet" href="${HANDBOOK_PATH}/${STYLE_FILE}" />
</head>
<body>
<a class="skip-link" href="#konten">Lewati ke konten</a>
<header>
<a href="${HANDBOOK_PATH}">Panduan: semua bab</a>
<a href="/">Buka ${APP_NAME}</a>
</header>
<main id="konten" tabindex="-1">
${content}</main>
</body>
</html>
`;
}

/** Each heading has its id here too, so that an address of the whole document leads on from here. */
function renderContents(handbook: Handbook, findPicture: FindPicture): string {
  const { title, intro, chapters } = handbook;
  const entry = ({ id, text }: Heading, below = ''): string =>
    `<li><a id="${id}" href="${addressOf(handbook, id)}">${escapeMarkup(text)}</a>${below}</li>\n`;
  const sectionsOf = ({ sections }: Chapter): string =>
    sections.length === 0 ? '' : `\n<ul>\n${sections.map((section) => entry(section)).join('')}</ul>\n`;
  return `<h1 id="${title.id}">${escapeMarkup(title.text)}</h1>
${renderTokens(handbook, findPicture, intro)}<nav aria-labelledby="${CONTENTS_ID}">
<h2 id="${CONTENTS_ID}">Isi</h2>
<ul class="chapters">
${chapters.map((chapter) => entry(chapter, sectionsOf(chapter))).join('')}</ul>
</nav>
`;
}

type Neighbours = { before: Chapter | undefined; after: Chapter | undefined };

function renderChapter(
  handbook: Handbook,
  findPicture: FindPicture,
  { id, text, content, sections }: Chapter,
  { before, after }: Neighbours,
): string {
  const link = (heading: Heading, words = ''): string =>
    `<li><a href="${addressOf(handbook, heading.id)}">${words}${escapeMarkup(heading.text)}</a></li>\n`;
  const inside =
    sections.length < 2
      ? ''
      : `<nav aria-label="Isi bab ini">\n<ul>\n${sections.map((section) => link(section)).join('')}</ul>\n</nav>\n`;
  return `<h1 id="${id}">${escapeMarkup(text)}</h1>
${inside}${renderTokens(handbook, findPicture, content)}<nav class="neighbours" aria-label="Bab lain">
<ul>
${before ? link(before, 'Sebelumnya: ') : ''}${after ? link(after, 'Berikutnya: ') : ''}<li><a href="${HANDBOOK_PATH}">Semua bab</a></li>
</ul>
</nav>
`;
}
