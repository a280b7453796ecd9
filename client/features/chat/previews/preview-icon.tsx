import { IconFileText, IconInfoCircle, IconPhoto, IconReceipt, type TablerIcon } from '@tabler/icons-react';
import type { PreviewIconKind } from './message-preview.ts';

const icons = {
  photo: IconPhoto,
  document: IconFileText,
  record: IconReceipt,
  notice: IconInfoCircle,
} satisfies Record<NonNullable<PreviewIconKind>, TablerIcon>;

/** Before the words of a message in short; the words say the same. */
export function PreviewIcon({ kind }: { kind: PreviewIconKind }) {
  if (kind === null) return null;
  const Icon = icons[kind];
  return <Icon size={15} style={{ marginInlineEnd: '0.25rem', verticalAlign: '-0.15em' }} aria-hidden />;
}
