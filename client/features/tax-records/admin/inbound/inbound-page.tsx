import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { formatNumber } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { useToastPlace } from '#client/ui/feedback/use-toast-place.ts';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { type CheckedState, inboundSumsQuery } from './inbound-api.ts';
import { CheckedList } from './checked-list.tsx';
import { InboundReview } from './inbound-review.tsx';
import classes from './inbound.module.css';

/** The parameter for the shown result in the URL. */
const VIEW_PARAM = 'tampil';
const views: Record<CheckedState, { param: string; label: string }> = {
  matched: { param: 'cocok', label: 'Cocok' },
  rejected: { param: 'tidak-cocok', label: 'Tidak cocok' },
  outdated: { param: 'berubah', label: 'Berubah' },
};
const STATES = ['matched', 'rejected', 'outdated'] as const satisfies CheckedState[];

/** /admin/tax-records/bukti-masuk: what users reported as paid and nobody checked, and what was checked (R-CHECK-21). */
export function InboundPage() {
  usePageTitle('Bukti masuk');
  const [params] = useSearchParams();
  const links = useRef<HTMLElement>(null);
  useInboundToasts(links);
  const { data: sums } = useQuery(inboundSumsQuery);
  const shown = STATES.find((state) => views[state].param === params.get(VIEW_PARAM)) ?? null;
  return (
    <>
      <PageHeader title="Bukti masuk" compact />
      <nav ref={links} aria-label="Hasil pencocokan" className={`${classes['views']} no-print`}>
        <Link to={paths.adminInbound} aria-current={shown === null ? 'page' : undefined}>
          <TabText label="Menunggu" sum={sums?.pending} />
        </Link>
        {STATES.map((state) => (
          <Link
            key={state}
            to={`${paths.adminInbound}?${VIEW_PARAM}=${views[state].param}`}
            aria-current={shown === state ? 'page' : undefined}
          >
            <TabText label={views[state].label} sum={sums?.[state]} />
          </Link>
        ))}
      </nav>
      {shown === 'matched' && sums && sums.matched.unpaid.count > 0 ? (
        <Text fz="sm" mb="xs">
          <Anchor component={Link} to={paths.adminRecordsWhere({ verification: 'matched_unpaid' })} inherit fw={600}>
            {formatNumber(sums.matched.unpaid.count)} cocok, belum lunas
          </Anchor>{' '}
          · <Money amount={sums.matched.unpaid.amount} />
        </Text>
      ) : null}
      {shown === null ? <InboundReview /> : <CheckedList key={shown} state={shown} />}
    </>
  );
}

/** The number of a tab, and its sum below. */
function TabText({ label, sum }: { label: string; sum: { count: number; amount: number } | undefined }) {
  if (!sum || sum.count === 0) return label;
  return (
    <>
      <span>
        {label} ({formatNumber(sum.count)})
      </span>{' '}
      <Text component="span" fz="xs" c="dimmed" className="tabular">
        <Money amount={sum.amount} />
      </Text>
    </>
  );
}

/** A toast with its distances, in pixels. */
const TOAST_WIDTH = 480;
const HEADING_HEIGHT = 64;

/**
 * The buttons of a decision stand where toasts usually do. Here they stand at the right of the title and the links, and where there
 * is no space, between the links and the record, which makes room for them.
 */
function useInboundToasts(links: RefObject<HTMLElement | null>): void {
  useToastPlace(() => {
    const nav = links.current;
    if (!nav) return null;
    const { top, bottom, right } = nav.getBoundingClientRect();
    // After a decision the page is at its top.
    const scrolled = window.scrollY;
    const free = right - (nav.lastElementChild?.getBoundingClientRect().right ?? right);
    if (free < TOAST_WIDTH) return { top: bottom + scrolled, right: window.innerWidth - right, name: 'above-record' };
    return { top: top + scrolled - HEADING_HEIGHT, right: window.innerWidth - right - 16, name: 'beside-title' };
  });
}
