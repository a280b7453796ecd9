import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconBellRinging, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiError, hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { pushTexts, type PushTestResult } from '#shared/api/push.ts';
import { unsubscribe } from '../../notifications/push/subscription.ts';
import { currentBrowser, whenItIsLate } from './push-help.ts';
import { sendTestPush } from './push-queries.ts';
import { usePushState, useTurnOn } from './use-push-state.ts';

type Problem = { message: string; hint?: string | undefined; isRenewable: boolean };

function describeProblem(result: Exclude<PushTestResult, 'sent'>, status: number | null): Problem {
  if (result === 'busy') return { message: pushTexts.testBusy(status ?? 0), isRenewable: false };
  if (result === 'unreachable') return { message: pushTexts.testUnreachable, isRenewable: false };
  const message = result === 'ended' ? pushTexts.testEnded : pushTexts.testRefused(status ?? 0);
  return { message, isRenewable: true };
}

function describeError(error: unknown): Problem {
  // The server has lost it, as after the restore of an older backup.
  const isRenewable = error instanceof ApiError && error.status === 404;
  return { message: messageOf(error, 'Notifikasi percobaan tidak terkirim'), hint: hintOf(error), isRenewable };
}

type Props = {
  /** The switch that turns notifications on is elsewhere on the page. */
  isApart?: boolean;
};

/** Sends a notification to this browser and says what became of it (R-PUSH-65). */
export function PushTest({ isApart = false }: Props) {
  const state = usePushState();
  const [result, setResult] = useState<'sent' | Problem | null>(null);
  const { submit, busy } = useSubmit(async () => {
    setResult(null);
    try {
      const answer = await sendTestPush();
      setResult(answer.result === 'sent' ? 'sent' : describeProblem(answer.result, answer.status));
    } catch (error) {
      setResult(describeError(error));
    }
  });
  const { turnOn, busy: isTurningOn, problemWords: renewProblem } = useTurnOn();
  const { submit: renew, busy: isRenewing } = useSubmit(async () => {
    await unsubscribe();
    await turnOn(() => void submit());
  });
  const isBusy = busy || isTurningOn || isRenewing;
  const problem = result === 'sent' ? null : result;
  const isUsable = state === 'on' || isBusy || problem !== null;
  if (!isUsable && !(isApart && state === 'off')) return null;
  return (
    <>
      <Group gap="0.5rem 0.75rem" pt="0.25rem" pb="0.875rem">
        <Button
          variant="default"
          mih={44}
          leftSection={<IconBellRinging size={18} aria-hidden />}
          disabled={!isUsable}
          loading={isBusy}
          onClick={() => void submit()}
        >
          Kirim notifikasi percobaan
        </Button>
        <Text component="output" flex="1 1 14rem" miw={0} fz="sm" c="dimmed">
          {!isUsable ? 'Nyalakan dulu "Notifikasi di perangkat ini".' : null}
          {result === 'sent' ? `${pushTexts.testSent} ${whenItIsLate(currentBrowser())}` : null}
        </Text>
      </Group>
      {problem && !isBusy ? (
        <Stack gap="0.5rem" align="flex-start" pb="0.875rem">
          <Box w="100%">
            <FormAlert message={renewProblem?.message ?? problem.message} hint={renewProblem?.hint ?? problem.hint} />
          </Box>
          {problem.isRenewable ? (
            <Button
              variant="light"
              mih={44}
              leftSection={<IconRefresh size={18} aria-hidden />}
              onClick={() => void renew()}
            >
              Nyalakan ulang
            </Button>
          ) : null}
        </Stack>
      ) : null}
    </>
  );
}
