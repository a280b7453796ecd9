import { lexer, type Token, type Tokens } from 'marked';

/** A heading with the id that GitHub gives it. */
export type Heading = { id: string; text: string };
/** A heading of the second level, all below it, and the headings of the third level in that. */
export type Chapter = Heading & { content: Token[]; sections: Heading[] };

export type Handbook = {
  title: Heading;
  /** The text before the first chapter. */
  intro: Token[];
  chapters: Chapter[];
  /** The id of each heading. */
  ids: Map<Token, string>;
  /** The chapter of each id; null for the title of the whole. */
  chapterOf: Map<string, string | null>;
};

/** The list of the chapters in the Markdown; the pages have their own. */
const CONTENTS = '**Isi:**';

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

/** Ids as GitHub makes them, so that the links of the document lead to the same place here and there. */
function createIds(): (text: string) => string {
  const counts = new Map<string, number>();
  return (text) => {
    const words = text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '');
    const base = words.replaceAll(' ', '-');
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}

/** Divides the handbook into its chapters. */
export function readHandbook(markdown: string): Handbook {
  const idOf = createIds();
  const [first, ...tokens] = lexer(markdown);
  if (!first || !isHeading(first) || first.depth !== 1) throw new Error('the handbook begins with its title');
  const title = { id: idOf(first.text), text: first.text };
  const handbook: Handbook = {
    title,
    intro: [],
    chapters: [],
    ids: new Map(),
    chapterOf: new Map([[title.id, null]]),
  };
  for (const token of tokens) {
    const chapter = handbook.chapters.at(-1);
    if (!isHeading(token)) {
      if (!token.raw.startsWith(CONTENTS)) (chapter?.content ?? handbook.intro).push(token);
      continue;
    }
    const heading = { id: idOf(token.text), text: token.text };
    if (token.depth === 2) handbook.chapters.push({ ...heading, content: [], sections: [] });
    else if (token.depth === 3 && chapter) {
      chapter.sections.push(heading);
      chapter.content.push(token);
    } else throw new Error(`the handbook has no place for the heading "${token.text}"`);
    handbook.ids.set(token, heading.id);
    handbook.chapterOf.set(heading.id, handbook.chapters.at(-1)?.id ?? null);
  }
  return handbook;
}
