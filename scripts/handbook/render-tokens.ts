import { Marked, type Token, type Tokens } from 'marked';
import { escapeMarkup } from '#shared/domain/escape-markup.ts';
import { HANDBOOK_PATH } from '#shared/handbook.ts';
import type { Handbook } from './chapters.ts';

export type PictureSize = { width: number; height: number };
/** The size of a picture by its path in the document. */
export type FindPicture = (path: string) => PictureSize;

const PICTURES = 'pictures/';
/** The last heading of a chapter stands two levels below the title of the document, one below that of its page. */
const LEVELS_ABOVE_PAGE = 1;

/** The address of a heading; without an id of its own that of the list of all chapters. */
export function addressOf({ chapterOf }: Handbook, id: string): string {
  const chapter = chapterOf.get(id);
  if (chapter === undefined) throw new Error(`the handbook links to "#${id}", and has no such heading`);
  if (chapter === null) return HANDBOOK_PATH;
  return chapter === id ? `${HANDBOOK_PATH}/${chapter}` : `${HANDBOOK_PATH}/${chapter}#${id}`;
}

/**
 * Makes the HTML of some tokens of the handbook.
 * @throws at a link to anything but a heading of its own or a picture: the program carries no other document
 */
export function renderTokens(handbook: Handbook, findPicture: FindPicture, tokens: Token[]): string {
  const marked = new Marked({
    renderer: {
      heading(heading) {
        const level = heading.depth - LEVELS_ABOVE_PAGE;
        const id = handbook.ids.get(heading) ?? '';
        return `<h${level} id="${id}">${this.parser.parseInline(heading.tokens)}</h${level}>\n`;
      },
      link({ href, tokens: inner }) {
        if (!href.startsWith('#')) throw new Error(`the handbook links to ${href}, which the program does not carry`);
        return `<a href="${addressOf(handbook, href.slice(1))}">${this.parser.parseInline(inner)}</a>`;
      },
      paragraph({ tokens: inner }) {
        const [first, , ...caption] = inner;
        if (first?.type !== 'image') return `<p>${this.parser.parseInline(inner)}</p>\n`;
        const picture = this.parser.parseInline([first]);
        return `<figure>${picture}<figcaption>${this.parser.parseInline(caption)}</figcaption></figure>\n`;
      },
      image: (image) => renderPicture(image, findPicture),
      table({ header, rows }) {
        const row = (cells: Tokens.TableCell[], cell: (content: string, column: number) => string): string =>
          `<tr role="row">${cells.map(({ tokens: inner }, column) => cell(this.parser.parseInline(inner), column)).join('')}</tr>\n`;
        // Two columns explain themselves. In more, each value says its column where the cells stand below each other.
        const label = (column: number): string =>
          header.length > 2 && column > 0 ? ` data-label="${escapeMarkup(header[column]?.text ?? '')}"` : '';
        const head = row(header, (content) => `<th role="columnheader" scope="col">${content}</th>`);
        const body = rows.map((cells) =>
          row(cells, (content, column) => `<td role="cell"${label(column)}>${content}</td>`),
        );
        // Cells below each other are no table for a browser any more, so the roles are named.
        return `<table role="table">\n<thead role="rowgroup">${head}</thead>\n<tbody role="rowgroup">\n${body.join('')}</tbody>\n</table>\n`;
      },
      html({ text }) {
        throw new Error(`the handbook is Markdown alone, without ${text.trim()}`);
      },
    },
  });
  return marked.parser(tokens, marked.defaults);
}

/** A picture opens in its own size when it is pressed: on a phone it is too small to read. */
function renderPicture({ href, text }: Tokens.Image, findPicture: FindPicture): string {
  const name = href.slice(PICTURES.length);
  if (!href.startsWith(PICTURES) || name.includes('/'))
    throw new Error(`the handbook has a picture elsewhere: ${href}`);
  if (text === '') throw new Error(`the picture ${name} has no text for those who do not see it`);
  const { width, height } = findPicture(href);
  const address = `${HANDBOOK_PATH}/${name}`;
  return `<a href="${address}"><img src="${address}" alt="${escapeMarkup(text)}" width="${width}" height="${height}" loading="lazy" /></a>`;
}
