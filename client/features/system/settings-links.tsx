import {
  IconBuildingCommunity,
  IconCalendarCog,
  IconClock,
  IconMessageBolt,
  type TablerIcon,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import classes from './settings.module.css';

/** Settings of the whole office with a page of their own. */
const pages: readonly { to: string; title: string; text: string; Icon: TablerIcon }[] = [
  {
    to: paths.adminOfficeIdentity,
    title: 'Identitas Kantor',
    text: 'Nama, alamat, telepon, WhatsApp, dan logo',
    Icon: IconBuildingCommunity,
  },
  {
    to: paths.adminOfficeHours,
    title: 'Jam Layanan',
    text: 'Hari dan jam buka, libur, tutup lebih awal',
    Icon: IconClock,
  },
  {
    to: paths.adminTaxYears,
    title: 'Tahun Pajak Warga',
    text: 'Tahun SPPT yang dapat diisi, data tahun baru',
    Icon: IconCalendarCog,
  },
  {
    to: paths.quickReplies,
    title: 'Balasan Cepat',
    text: 'Jawaban siap pakai untuk chat',
    Icon: IconMessageBolt,
  },
];

export function SettingsLinks() {
  return (
    <nav aria-label="Pengaturan kantor">
      <ul className={classes['pages']}>
        {pages.map(({ to, title, text, Icon }) => (
          <li key={to}>
            <Link to={to} className={classes['page']}>
              <Icon size={22} stroke={1.75} aria-hidden />
              <span>
                <span className={classes['pageTitle']}>{title}</span>
                <span className={classes['dim']}>{text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
