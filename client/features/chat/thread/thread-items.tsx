import type { ChatClient } from '../session/client.ts';
import { type Conversation, sideOfMessage } from '../session/conversation.ts';
import type { ThreadItem } from './build-items.ts';
import { DaySeparator } from './day-separator.tsx';
import { deliveryOf } from './delivery.ts';
import { MessageBubble } from './message-bubble.tsx';
import { UnsentBubble } from './unsent-bubble.tsx';

type Props = {
  client: ChatClient;
  conversation: Conversation;
  items: readonly ThreadItem[];
  nowMs: number;
  showSenders: boolean;
};

/** The lines of a conversation; each carries the name by which scrolling holds on to it. */
export function ThreadItems({ client, conversation, items, nowMs, showSenders }: Props) {
  const { side, selfId } = client.identity;

  function draw(item: ThreadItem) {
    if (item.kind === 'day') return <DaySeparator atMs={item.atMs} nowMs={nowMs} />;
    if (item.kind === 'unsent') {
      const { client_id } = item.entry;
      return (
        <UnsentBubble
          entry={item.entry}
          first={item.first}
          onRetry={() => client.retry(client_id)}
          onDiscard={() => client.discard(client_id)}
        />
      );
    }
    const { message, first } = item;
    const own = sideOfMessage(message) === side;
    const mine = own && (side === 'user' || message.sender_id === selfId);
    return (
      <MessageBubble
        content={message.content}
        at={message.createdAt}
        own={own}
        sender={mine ? 'Anda' : message.sender_name}
        showSender={showSenders && first && !mine && message.from_admin}
        first={first}
        delivery={own ? deliveryOf(message, side, conversation) : undefined}
      />
    );
  }

  return items.map((item) => (
    <div key={item.key} data-item={item.key}>
      {draw(item)}
    </div>
  ));
}
