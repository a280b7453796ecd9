import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { switchOffOfficeSettings } from './restore-copy.ts';

const read = (text: string): Record<string, string | undefined> => ({ ...parseEnv(switchOffOfficeSettings(text)) });

it.each([
  ['plain lines', 'BACKUP_SECOND_DIR=/mnt/usb\nPORT=80\nTLS_CERT=a.pem'],
  ['lines with export', 'export BACKUP_SECOND_DIR=/mnt/usb\n  export   PORT=80\nexport TLS_DOMAIN=kantor.id'],
  ['spaces and ends of Windows', ' BACKUP_SECOND_DIR = "/mnt/usb"\r\nPORT= 80\r\n\tTLS_PORT=443\r'],
  ['a byte order mark', '\uFEFFPORT=80'],
])('switches off the second folder, port and TLS of a trial in %s, and keeps the rest', (_what, text) => {
  expect(read(`${text}\nAPP_TIMEZONE=Asia/Makassar\nexport OFFICE_NAME="Kantor Desa"`)).toEqual({
    APP_TIMEZONE: 'Asia/Makassar',
    OFFICE_NAME: 'Kantor Desa',
  });
});

it('keeps the first setting of a trial after a byte order mark', () => {
  expect(read('\uFEFFAPP_TIMEZONE=Asia/Makassar\nPORT=80')).toEqual({ APP_TIMEZONE: 'Asia/Makassar' });
});

it('switches off every line of a trial when the reader still finds such a setting', () => {
  // The reader drops a line end of old Macs, wherever it is.
  expect(read('APP_TIMEZONE=Asia/Makassar\nBACKUP_SECOND\r_DIR=/mnt/usb\nNOTE="\nPORT=80\n"')).toEqual({});
});
