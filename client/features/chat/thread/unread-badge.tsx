import { Badge, VisuallyHidden } from '@mantine/core';
import { badgeText } from '../state/selectors.ts';

/** The number of unread messages; nothing at 0. */
export function UnreadBadge({ count, size = 'sm' }: { count: number; size?: 'sm' | 'lg' }) {
  if (count === 0) return null;
  return (
    <Badge color="red" size={size} className="tabular" style={{ flex: 'none', paddingInline: '0.4375rem' }}>
      <span aria-hidden>{badgeText(count)}</span>
      <VisuallyHidden>{count} pesan belum dibaca</VisuallyHidden>
    </Badge>
  );
}
