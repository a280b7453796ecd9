import type { Quote } from '../../state/model/outbox-entry.ts';
import classes from './message-bubble.module.css';

type Props = {
  /** Null: it was deleted. */
  quote: Quote | null;
  currentUserId: string;
  /** Leads to the quoted message; without it the block is plain text. */
  onOpen?: ((messageId: string) => void) | undefined;
};

/** A quoted message in short: who wrote it, and its beginning. */
export function QuotedBlock({ quote, currentUserId, onOpen }: Props) {
  if (!quote) return <span className={classes['quote']}>Pesan yang dikutip sudah dihapus</span>;
  const content = (
    <>
      <span className={classes['quoteName']}>{quote.sender_id === currentUserId ? 'Anda' : quote.sender_name}</span>
      <span className={classes['quoteExcerpt']}>{quote.excerpt}</span>
    </>
  );
  if (!onOpen) return <span className={classes['quote']}>{content}</span>;
  return (
    <button
      type="button"
      className={classes['quote']}
      aria-label={`Buka pesan yang dikutip: ${quote.excerpt}`}
      onClick={() => onOpen(quote._id)}
    >
      {content}
    </button>
  );
}
