import { Anchor, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useOfficeIdentity } from '#client/lib/office/office-identity.ts';

const digitsOf = (number: string): string => number.replaceAll(/\D/g, '');
/** The form that WhatsApp takes: with the country, and without a plus. */
const whatsappDigits = (number: string): string => digitsOf(number).replace(/^0/, '62');

/** The telephone numbers of the office; nothing while it has not saved one (R-OFFICE-24). */
export function OfficeContact({ className }: { className?: string | undefined }) {
  const { phone, whatsapp } = useOfficeIdentity();
  const numbers = [
    ...(phone === '' ? [] : [{ label: 'Telepon', number: phone, href: `tel:${phone.replaceAll(/[^\d+]/g, '')}` }]),
    ...(whatsapp === ''
      ? []
      : [{ label: 'WhatsApp', number: whatsapp, href: `https://wa.me/${whatsappDigits(whatsapp)}` }]),
  ];
  if (numbers.length === 0) return null;
  return (
    <Text className={className ?? ''}>
      {numbers.map(({ label, number, href }, index) => (
        <Fragment key={label}>
          {index === 0 ? '' : ' · '}
          <span style={{ whiteSpace: 'nowrap' }}>
            {label}{' '}
            <Anchor href={href} className="link-target" rel="noreferrer" inherit>
              {number}
            </Anchor>
          </span>
        </Fragment>
      ))}
    </Text>
  );
}
