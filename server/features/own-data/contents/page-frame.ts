import { formatDate } from '#shared/domain/dates/date-labels.ts';
import { escapeMarkup } from '#shared/domain/escape-markup.ts';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 44rem; padding: 1rem; }
h1 { font-size: 1.375rem; }
h2 { font-size: 1rem; margin: 2rem 0 .75rem; text-align: center; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; margin: .5rem 0; padding: .5rem .75rem; }
article.office { margin-right: 15%; }
article.own { background: color-mix(in srgb, #0a7d5a 14%, transparent); margin-left: 15%; }
article p, dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: isolate; }
article .by, dt { font-size: .875rem; opacity: .75; white-space: normal; }
dl { margin: .25rem 0 0; }
img { border-radius: .375rem; display: block; height: auto; margin-top: .5rem; max-height: 24rem; max-width: 100%; }
a { display: inline-block; margin-top: .5rem; overflow-wrap: anywhere; }
@media (max-width: 30rem) { article.office { margin-right: 2rem; } article.own { margin-left: 2rem; } }
`;

export type PageAbout = { name: string; officeName: string; nowMs: number; timeZone: string };

/** The beginning of a page that opens from a folder, without a script and without the internet. */
export function pageHead(title: string, { name, officeName, nowMs, timeZone }: PageAbout): string {
  const made = formatDate(new Date(nowMs).toISOString(), timeZone);
  const about = [name, officeName, `salinan ${made}`].filter(Boolean).join(' · ');
  return `<!doctype html>\n<html lang="id">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${title}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<main>\n<h1>${title}</h1>\n<p>${escapeMarkup(about)}</p>\n`;
}

export const PAGE_END = '</main>\n</body>\n</html>\n';

/** An image that leads to its file, or a link to a document. @param path in the copy */
export function fileLink(path: string, name: string, isImage: boolean): string {
  const href = path.split('/').map(encodeURIComponent).join('/');
  const shown = isImage ? `<img src="${href}" alt="${escapeMarkup(name)}" loading="lazy">` : escapeMarkup(name);
  return `<a href="${href}">${shown}</a>\n`;
}
