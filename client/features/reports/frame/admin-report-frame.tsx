import { Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router-dom';
import type { ReportDocument } from '#client/exports/report-document.ts';
import type { ReportHead } from '#client/exports/report-head.ts';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import classes from './admin-report-frame.module.css';
import { ReportActions } from './report-actions.tsx';
import { ReportPrintHeading } from './report-print-heading.tsx';

type Props = {
  title: string;
  description: string;
  /** The title and the details of the paper. */
  printTitle: string;
  head: ReportHead;
  status: 'pending' | 'error' | 'success';
  createReport: () => ReportDocument | null;
  children: ReactNode;
};

/** The page of a report for admins: its heading with the exports, the two reports as tabs, and the heading of the print. */
export function AdminReportFrame({ title, description, printTitle, head, status, createReport, children }: Props) {
  return (
    <>
      <div className="no-print">
        <PageHeader
          title={title}
          description={description}
          actions={<ReportActions status={status} createReport={createReport} />}
        />
      </div>
      <nav aria-label="Jenis laporan" className={`${classes['tabs']} no-print`}>
        <NavLink to={paths.adminReports} end>
          Data PBB
        </NavLink>
        <NavLink to={paths.adminChatReport}>Layanan Chat</NavLink>
      </nav>
      <ReportPrintHeading title={printTitle} head={head} />
      {children}
    </>
  );
}

/** In place of a report, or of the part of it, that could not be loaded. */
export function AdminReportError({ query: { error, isFetching, refetch } }: { query: UseQueryResult }) {
  return (
    <Paper withBorder mb="md">
      <ErrorState
        title={messageOf(error, 'Gagal memuat laporan')}
        description={hintOf(error)}
        onRetry={() => {
          focusHeading();
          void refetch();
        }}
        retrying={isFetching}
      />
    </Paper>
  );
}
