import { Card, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { systemInfoQuery } from '#client/lib/api/system-info-query.ts';
import classes from '../settings.module.css';
import { useServerTimeMs } from '../use-server-time.ts';
import { PublicReachRows } from './public-reach-rows.tsx';
import { PushReachRows } from './push-reach-rows.tsx';

/** A directory takes seconds, sometimes minutes. */
const ISSUING_POLL_MS = 2000;

const loadPushTest = async () => (await import('#client/features/chat/display/push/push-test.tsx')).PushTest;

/** The button that sends a notification to this browser; over plain http there are none. */
function PushTestSlot() {
  const { Component } = useLazyComponent(loadPushTest, {
    wanted: window.isSecureContext,
  });
  return Component ? <Component isApart /> : null;
}

/** The reach of this server: public name, certificate and notifications (docs/requirements.md R-ACME-31). */
export function ReachCard() {
  const { data, dataUpdatedAt } = useQuery({
    ...systemInfoQuery,
    refetchInterval: ({ state }) => (state.data?.public?.certificate.issuing ? ISSUING_POLL_MS : false),
  });
  const nowMs = useServerTimeMs(data?.backup.now, dataUpdatedAt);
  if (!data?.push) return null;
  return (
    <Card component="section" aria-labelledby="jangkauan-dari-luar">
      <Title order={2} id="jangkauan-dari-luar" mb={4}>
        Jangkauan dari luar
      </Title>
      <Text c="dimmed" mb="xs">
        Untuk warga di rumah, di luar jaringan kantor.
      </Text>
      <dl className={classes['lines']}>
        <PublicReachRows reach={data.public ?? null} nowMs={nowMs} />
        <PushReachRows push={data.push} nowMs={nowMs} />
      </dl>
      <PushTestSlot />
    </Card>
  );
}
