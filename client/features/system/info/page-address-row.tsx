import { Anchor } from '@mantine/core';
import type { SystemInfo } from '#shared/api/system.ts';
import classes from '../settings.module.css';
import { InfoRow } from '../info-row.tsx';

const TRUST_PATH = '/percaya';

type AddressInfo = Pick<SystemInfo, 'secure_addresses' | 'has_local_authority' | 'public'>;

const listSecureAddresses = ({ secure_addresses: secure, public: reach }: AddressInfo): string[] =>
  reach?.address ? [reach.address, ...secure] : secure;

function secureAddressText(isSecure: boolean, info: AddressInfo): string | null {
  if (isSecure) return window.location.protocol === 'https:' ? null : 'Dibuka di komputer server sendiri.';
  return listSecureAddresses(info).length > 0
    ? 'Notifikasi desktop hanya berfungsi di alamat https. Buka lewat:'
    : 'Notifikasi desktop hanya berfungsi di alamat https, yang belum dinyalakan di server ini. Minta pengelola server menyalakannya.';
}

/** Whether the address of this page is a secure context, with links to addresses that are. */
export function PageAddressRow({ info }: { info: AddressInfo }) {
  const isSecure = window.isSecureContext;
  const text = secureAddressText(isSecure, info);
  return (
    <InfoRow label="Alamat halaman ini">
      <span className={classes[isSecure ? 'good' : 'bad']}>{isSecure ? 'Aman' : 'Tidak aman (http)'}</span>
      {text ? <span className={classes['note']}>{text}</span> : null}
      {isSecure ? null : (
        <ul className={classes['links']}>
          {listSecureAddresses(info).map((address) => (
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
    </InfoRow>
  );
}
