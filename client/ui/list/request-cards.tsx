import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import list from './list.module.css';

/** Each card may ask the server for what the office knows of its account. */
const SHOWN_STEP = 10;

type Props<Request> = { requests: readonly Request[]; children: (request: Request) => ReactNode };

/** Requests below each other, ten at first and ten more on a press. */
export function RequestCards<Request>({ requests, children }: Props<Request>) {
  const [shownCount, setShownCount] = useState(SHOWN_STEP);
  return (
    <Stack gap="md">
      <ul className={list['cards']} style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {requests.slice(0, shownCount).map(children)}
      </ul>
      {requests.length > shownCount ? (
        <Button variant="default" onClick={() => setShownCount(shownCount + SHOWN_STEP)}>
          Tampilkan {formatNumber(Math.min(SHOWN_STEP, requests.length - shownCount))} lagi
        </Button>
      ) : null}
    </Stack>
  );
}
