import { useOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { PaperHead } from '#client/ui/print/paper-head.tsx';
import { PrintSheet } from '#client/ui/print/print-sheet.tsx';
import { APP_NAME } from '#shared/labels.ts';
import classes from './address-print-sheet.module.css';

type Props = {
  /** The QR code as a data URL. */
  qrCodeUrl: string;
  address: string;
  /** Opens from everywhere, not only in the network of the office. */
  isPublic: boolean;
};

/** A sheet with the address and its QR code, to hang up. */
export function AddressPrintSheet({ qrCodeUrl, address, isPublic }: Props) {
  // Without one the sheet begins with the name of the product, which its title has.
  const hasIdentity = Object.values(useOfficeIdentity()).some(Boolean);
  return (
    <PrintSheet>
      <div className={classes['poster']} data-headed={hasIdentity || undefined}>
        {hasIdentity ? <PaperHead /> : null}
        <p className={classes['title']}>Buka {APP_NAME} di HP Anda</p>
        <p className={classes['line']}>Catat dan lihat Pajak Bumi dan Bangunan Anda, dan bertanya kepada petugas.</p>
        <img src={qrCodeUrl} alt="" className={classes['code']} />
        <ol className={classes['steps']}>
          <li>{isPublic ? 'Dari mana saja, dengan data seluler atau Wi-Fi.' : 'Sambungkan HP ke Wi-Fi kantor.'}</li>
          <li>Arahkan kamera HP ke kotak di atas, lalu tekan alamat yang muncul.</li>
          <li>Atau ketik alamat ini di peramban (Chrome, Safari):</li>
        </ol>
        <p className={classes['address']}>{address}</p>
        {isPublic ? (
          <p className={classes['line']}>
            Pasang di layar utama dan nyalakan notifikasi, agar Anda tahu saat kantor menjawab.
          </p>
        ) : null}
      </div>
    </PrintSheet>
  );
}
