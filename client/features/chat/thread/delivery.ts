import type { Message } from '#shared/api/chat.ts';
import type { Side } from '#shared/chat-events.ts';
import { type Conversation, numberOf, otherSide } from '../session/conversation.ts';

/** How far a message of this side has come. */
export type Delivery = 'waiting' | 'stored' | 'delivered' | 'read' | 'failed';

export const deliveryLabels: Record<Delivery, string> = {
  waiting: 'Menunggu dikirim',
  stored: 'Terkirim',
  delivered: 'Diterima',
  read: 'Dibaca',
  failed: 'Gagal dikirim',
};

export function deliveryOf(message: Message, side: Side, { seen, delivered }: Conversation): Delivery {
  const other = otherSide(side);
  const id = numberOf(message);
  if (id <= seen[other]) return 'read';
  return id <= delivered[other] ? 'delivered' : 'stored';
}
