import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber, showDateTime } from '#client/lib/format.ts';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { SecurityEntry } from '#shared/api/security-log.ts';
import { securityLogQuery } from '../api.ts';
import classes from '../account.module.css';

const SHOWN_AT_FIRST = 5;

const eventTexts: Record<SecurityEntry['event'], string> = {
  'recovery_code.made': 'Kode masuk dibuat',
  'recovery_code.ended': 'Kode masuk dibatalkan',
  'recovery_code.used': 'Masuk dengan kode dari kantor',
  'password.changed': 'Password diganti',
  'card.made': 'Kartu dibuat',
  'card.ended': 'Kartu dicabut',
  'card.activated': 'Kartu diaktifkan',
  'card.used': 'Masuk dengan kartu',
  'card.blocked': 'Kartu diblokir karena terlalu banyak PIN salah',
  'second_factor.on': 'Kode kedua dipasang',
  'second_factor.off': 'Kode kedua dimatikan',
  'second_factor.removed': 'Kode kedua dihapus',
  'second_factor.code_used': 'Masuk dengan kode cadangan',
  'second_factor.setup_code': 'Kode pemasangan dibuat',
  'email.changed': 'Email diganti',
  'phone.changed': 'Nomor HP diganti',
  'erasure.asked': 'Hapus akun diminta',
  'erasure.withdrawn': 'Permintaan hapus akun dibatalkan',
  'erasure.rejected': 'Permintaan hapus akun ditolak',
};
const howTexts: Record<NonNullable<SecurityEntry['how']>, string> = {
  counter: 'diperiksa di loket',
  phone: 'diperiksa lewat telepon',
  password: 'dengan password Anda',
  code: 'dengan kode masuk',
  pin: 'dengan PIN Anda',
};

/** Acts of the owner alone, or of the program. */
const OWN_EVENTS: readonly SecurityEntry['event'][] = [
  'recovery_code.used',
  'card.activated',
  'card.used',
  'card.blocked',
  'second_factor.on',
  'second_factor.off',
  'second_factor.code_used',
];

/** Whether the owner did it, also by a proof with a code, the password or the PIN. All other lines name a person. */
const isOwnAct = ({ event, how }: SecurityEntry): boolean =>
  OWN_EVENTS.includes(event) || (how !== null && ['password', 'code', 'pin'].includes(how));

/** 'Kode masuk dibuat oleh Petugas, diperiksa di loket'. */
function textOf(entry: SecurityEntry): string {
  const { event, how, by_name: byName } = entry;
  const act = isOwnAct(entry) ? eventTexts[event] : `${eventTexts[event]} oleh ${byName}`;
  return how === null ? act : `${act}, ${howTexts[how]}`;
}

/** The own log, which nobody can change (docs/requirements.md R-ACCESS-3). */
export function SecurityLog() {
  const query = useQuery(securityLogQuery);
  const [isWhole, setIsWhole] = useState(false);
  return (
    <FormSection
      title="Catatan keamanan"
      text="Semua kode masuk, kode kedua, password, email, nomor HP, dan permintaan hapus akun ini. Kantor tidak dapat menghapusnya. Ada yang bukan Anda? Hubungi kantor."
    >
      <QueryView
        query={query}
        failedText="Gagal memuat catatan keamanan"
        loading={{ text: 'Memuat catatan keamanan…', rows: 2, height: 40 }}
      >
        {(entries) =>
          entries.length === 0 ? (
            <Text c="dimmed">Belum ada catatan.</Text>
          ) : (
            <Stack gap="md">
              <ul className={classes['rows']} aria-label="Catatan keamanan">
                {entries.slice(0, isWhole ? undefined : SHOWN_AT_FIRST).map((entry) => (
                  // The newest come first, and none is ever taken away.
                  <li key={`${entry.at} ${entry.event}`} className={classes['entry']}>
                    <Text className={classes['break'] ?? ''}>{textOf(entry)}</Text>
                    <Text fz="sm" c="dimmed">
                      {showDateTime(entry.at)}
                    </Text>
                  </li>
                ))}
              </ul>
              {entries.length > SHOWN_AT_FIRST && !isWhole ? (
                <Button variant="default" className="no-print" w="fit-content" onClick={() => setIsWhole(true)}>
                  Tampilkan semua ({formatNumber(entries.length)})
                </Button>
              ) : null}
            </Stack>
          )
        }
      </QueryView>
    </FormSection>
  );
}
