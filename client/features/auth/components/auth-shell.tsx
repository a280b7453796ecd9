import { Text, Title } from '@mantine/core';
import { IconCamera, IconHomeCheck, IconPrinter, IconReceipt } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { OfficeHeading } from '#client/features/office/display/office-heading.tsx';
import { Brand } from '#client/ui/page/brand.tsx';
import { ColorSchemeToggle } from '#client/ui/page/color-scheme-toggle.tsx';
import { usePageFocus } from '#client/ui/page/page-focus.ts';
import classes from './auth-shell.module.css';

const points = [
  { Icon: IconReceipt, text: 'Lihat tagihan dan tunggakan PBB Anda dalam satu tempat.' },
  { Icon: IconCamera, text: 'Simpan foto bukti pembayaran langsung dari ponsel.' },
  { Icon: IconPrinter, text: 'Cetak nota dan unduh laporan kapan pun Anda perlu.' },
];

type Props = { title: string; description: string; children: ReactNode };

/** Around login and registration: the form, and on wide screens a short description of the product. */
export function AuthShell({ title, description, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  return (
    <div className={classes['shell']}>
      <aside className={classes['aside']} aria-label="Tentang PBB Kita">
        <Brand />
        <p className={classes['slogan']}>Urusan PBB jadi rapi dan mudah.</p>
        <ul className={classes['points']}>
          {points.map(({ Icon, text }) => (
            <li key={text}>
              <Icon size={22} aria-hidden />
              {text}
            </li>
          ))}
        </ul>
        <IconHomeCheck className={classes['outline']} stroke={0.8} aria-hidden />
      </aside>
      <main className={classes['main']}>
        <div className={classes['top']}>
          <div className={classes['small']}>
            <Brand />
          </div>
          <ColorSchemeToggle />
        </div>
        <div className={classes['form']}>
          <OfficeHeading />
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          <Text c="dimmed" mt={4} mb="lg">
            {description}
          </Text>
          {children}
        </div>
      </main>
    </div>
  );
}
