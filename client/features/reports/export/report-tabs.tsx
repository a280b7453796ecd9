import { NavLink } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import classes from './report-tabs.module.css';

/** The two reports of the admins. */
export function ReportTabs() {
  return (
    <nav aria-label="Jenis laporan" className={`${classes['tabs']} no-print`}>
      <NavLink to={paths.adminReports} end>
        Data PBB
      </NavLink>
      <NavLink to={paths.adminChatReport}>Layanan Chat</NavLink>
    </nav>
  );
}
