import type { Quote } from '../../outbox/outbox-storage.ts';
import classes from './quoted-block.module.css';

type Props = {
  /** Null: it was deleted. */
  quote: Quote | null;
  currentUserId: string;
  /** Leads to the quoted message; without it the block is plain text. */
  onOpen?: ((messageId: string) => void) | undefined;
};

/** A quoted message in short: who wrote it, and its beginning. */
export function QuotedBlock({ quote, currentUserId, onOpen }: Props) {
  if (!quote) return <span className={classes['block']}>Pesan yang dikutip sudah dihapus</span>;
  const content = (
    <>
      <span className={classes['name']}>{quote.sender_id === currentUserId ? 'Anda' : quote.sender_name}</span>
      <span className={classes['excerpt']}>{quote.excerpt}</span>
    </>
  );
  if (!onOpen) return <span className={classes['block']}>{content}</span>;
  return (
    <button
      type="button"
      className={classes['block']}
      aria-label={`Buka pesan yang dikutip: ${quote.excerpt}`}
      onClick={() => onOpen(quote._id)}
    >
      {content}
    </button>
  );
}
