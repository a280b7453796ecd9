import { showDate } from '#client/lib/format.ts';
import { letterheadOf } from '#client/lib/office/letterhead.ts';
import { useOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { PrintSheet } from '#client/ui/print/print-sheet.tsx';
import classes from './card-sheet.module.css';
import type { HeldCard } from './use-card-batch.ts';

const CARDS_PER_SHEET = 8;

const sheetsOf = (cards: readonly HeldCard[]): HeldCard[][] =>
  Array.from({ length: Math.ceil(cards.length / CARDS_PER_SHEET) }, (_, index) =>
    cards.slice(index * CARDS_PER_SHEET, (index + 1) * CARDS_PER_SHEET),
  );

/** The printed cards. The activation stands on a strip that is cut off, so that a found card alone opens nothing (R-ACCESS-53). */
export function CardSheet({ cards }: { cards: readonly HeldCard[] }) {
  const { name: office } = letterheadOf(useOfficeIdentity());
  return (
    <PrintSheet>
      {sheetsOf(cards).map((sheet) => (
        <div key={sheet[0]?.code} className={classes['cards']}>
          {sheet.map((card) => (
            <PaperCard key={card.code} card={card} office={office} />
          ))}
        </div>
      ))}
    </PrintSheet>
  );
}

function PaperCard({ card, office }: { card: HeldCard; office: string }) {
  const [page] = card.url.replace(/^https?:\/\//, '').split('#');
  return (
    <div className={classes['paper']}>
      <div className={classes['card']}>
        <div className={classes['words']}>
          <p className={classes['office']}>Kartu warga · {office}</p>
          <p className={classes['name']}>{card.holder.name}</p>
          <p>Kode kartu</p>
          <p className={classes['code']}>{card.code}</p>
          <p>Masuk: pindai kotak ini dengan kamera HP, atau buka {page}, lalu ketik PIN.</p>
          <p>PIN hanya untuk Anda. Petugas tidak pernah menanyakannya.</p>
        </div>
        <img src={card.qrCodeUrl} alt="" className={classes['qr']} />
      </div>
      <div className={classes['strip']}>
        <p>
          ✂ Kode aktivasi <span className={classes['code']}>{card.activation}</span>
        </p>
        <p>
          Sekali pakai, sampai {showDate(card.activation_expires_at)}. Pindai kartu, tekan “Aktifkan”, ketik kode ini,
          lalu pilih PIN. Sesudah itu buang potongan ini.
        </p>
      </div>
    </div>
  );
}
