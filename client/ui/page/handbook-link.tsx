import { Anchor, VisuallyHidden } from '@mantine/core';
import { HANDBOOK_PATH } from '#shared/handbook.ts';

/** The chapters that screens lead to; a test of the handbook finds each. */
export const handbookChapters = { lists: 'daftar-dari-kantor-pajak' } as const;

export const NEW_TAB = '(terbuka di tab baru)';

/** Leads to a chapter of the handbook in another tab: the page with its form stays as it is. */
export function HandbookLink({ chapter }: { chapter: keyof typeof handbookChapters }) {
  return (
    <Anchor
      href={`${HANDBOOK_PATH}/${handbookChapters[chapter]}`}
      target="_blank"
      fw={600}
      py="sm"
      display="inline-block"
    >
      Baca panduannya <VisuallyHidden>{NEW_TAB}</VisuallyHidden>
    </Anchor>
  );
}
