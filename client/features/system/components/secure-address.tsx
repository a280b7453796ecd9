import { Anchor } from '@mantine/core';
import type { SystemInfo } from '#shared/api/system.ts';
import classes from '../settings.module.css';
import { Fact } from './fact.tsx';

const TRUST_PATH = '/percaya';

type Info = Pick<SystemInfo, 'secure_addresses' | 'has_local_authority'>;

function wordsOf(isSecure: boolean, { secure_addresses: secure }: Info): string | null {
  if (isSecure) return window.location.protocol === 'https:' ? null : 'Dibuka di komputer server sendiri.';
  return secure.length > 0
    ? 'Notifikasi desktop hanya berfungsi di alamat https. Buka lewat:'
    : 'Notifikasi desktop hanya berfungsi di alamat https, yang belum dinyalakan di server ini. Tulis TLS=on di setelan.env, lalu jalankan ulang server.';
}

/** Whether this page came by an address that browsers call safe, and the way to one that is. */
export function SecureAddress({ info }: { info: Info }) {
  const isSecure = window.isSecureContext;
  const words = wordsOf(isSecure, info);
  return (
    <Fact label="Alamat halaman ini">
      <span className={classes[isSecure ? 'good' : 'bad']}>{isSecure ? 'Aman' : 'Tidak aman (http)'}</span>
      {words ? <span className={classes['note']}>{words}</span> : null}
      {isSecure ? null : (
        <ul className={classes['links']}>
          {info.secure_addresses.map((address) => (
            <li key={address}>
              <Anchor href={`${address}${window.location.pathname}`} inherit>
                {address}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {info.has_local_authority ? (
        <Anchor href={TRUST_PATH} className={classes['trust'] ?? ''} inherit>
          Cara mempercayai alamat ini di HP dan PC
        </Anchor>
      ) : null}
    </Fact>
  );
}
