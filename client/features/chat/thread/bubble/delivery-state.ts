import type { Message } from '#shared/api/chat.ts';
import type { Side } from '#shared/events.ts';
import { type Conversation, idNumberOf, otherSide } from '../../session/conversation.ts';

/** How far a message of this side has come. */
export type DeliveryState = 'waiting' | 'stored' | 'delivered' | 'read' | 'failed';

export const deliveryStateLabels: Record<DeliveryState, string> = {
  waiting: 'Menunggu dikirim',
  stored: 'Terkirim',
  delivered: 'Diterima',
  read: 'Dibaca',
  failed: 'Gagal dikirim',
};

export function deliveryStateOf(message: Message, side: Side, { seen, delivered }: Conversation): DeliveryState {
  const other = otherSide(side);
  const id = idNumberOf(message);
  if (id <= seen[other]) return 'read';
  return id <= delivered[other] ? 'delivered' : 'stored';
}
