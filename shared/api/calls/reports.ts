import { fieldTexts } from '../../texts.ts';
import {
  overviewQuery,
  reportOverviewAnswer,
  reportPropertyAnswer,
  reportQuery,
  reportSummaryAnswer,
} from '../reports.ts';
import type { Calls } from './call.ts';

const own = { access: 'session', tag: 'Laporan', errors: { 422: fieldTexts.periodInvalid } } as const;

export const reportCalls = {
  'GET /reports/summary': {
    ...own,
    summary: 'Ringkasan pajak sendiri dalam satu periode',
    query: reportQuery,
    answer: reportSummaryAnswer,
  },
  'GET /reports/property': {
    ...own,
    summary: 'Pajak sendiri menurut jenis properti dalam satu periode',
    query: reportQuery,
    answer: reportPropertyAnswer,
  },
  'GET /admin/reports/overview': {
    ...own,
    access: 'admin',
    summary: 'Penerimaan satu periode, belum lunas, dan tunggakan seluruh data',
    description: 'from dan to: yyyy-mm-dd, keduanya ikut terhitung; tanpa keduanya: tahun kalender ini.',
    query: overviewQuery,
    answer: reportOverviewAnswer,
  },
} satisfies Calls;
