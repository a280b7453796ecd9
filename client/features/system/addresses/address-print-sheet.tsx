import { createPortal } from 'react-dom';
import { APP_NAME } from '#shared/texts.ts';
import classes from './address-print-sheet.module.css';
import { useEffect } from 'react';

const ATTRIBUTE = 'data-print-sheet';

const clearPrintMark = () => document.body.removeAttribute(ATTRIBUTE);

/**
 * Prints the sheet alone instead of the page. The mark stays until somebody touches the page again, because some phones take their
 * picture only after they say that printing is over.
 */
export function usePrintSheet(): () => void {
  useEffect(() => clearPrintMark, []);
  return () => {
    document.body.setAttribute(ATTRIBUTE, '');
    window.print();
    for (const eventName of ['pointerdown', 'keydown']) {
      window.addEventListener(eventName, clearPrintMark, { once: true, capture: true });
    }
  };
}

type Props = { /** Address of the QR code's picture. */ qrCodeUrl: string; address: string };

/** One page for the office's wall; on paper only, and only when asked for. */
export function AddressPrintSheet({ qrCodeUrl, address }: Props) {
  return createPortal(
    <div className={classes['sheet']} aria-hidden>
      <p className={classes['title']}>Buka {APP_NAME} di HP Anda</p>
      <p className={classes['line']}>Catat dan lihat Pajak Bumi dan Bangunan Anda, dan bertanya kepada petugas.</p>
      <img src={qrCodeUrl} alt="" className={classes['code']} />
      <ol className={classes['steps']}>
        <li>Sambungkan HP ke Wi-Fi kantor.</li>
        <li>Arahkan kamera HP ke kotak di atas, lalu tekan alamat yang muncul.</li>
        <li>Atau ketik alamat ini di peramban (Chrome, Safari):</li>
      </ol>
      <p className={classes['address']}>{address}</p>
    </div>,
    document.body,
  );
}
