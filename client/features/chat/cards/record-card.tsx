import type { RecordCard } from '#shared/api/record-card.ts';
import type { Message } from '#shared/api/chat.ts';

type Props = {
  card: RecordCard;
  message: Message;
};

/** The record that a message carries, as it is now (R-CARD-10). */
export function RecordCardView({ card }: Props) {
  return <div data-record-card={card.id} />;
}
