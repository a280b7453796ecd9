import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showDate } from '#client/lib/format.ts';
import { type Failure, FormFailure, failureOf } from '#client/ui/feedback/form-failure.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { PublicReach } from '#shared/api/system.ts';
import { retryCertificate, systemKeys } from '../api.ts';
import classes from './reach.module.css';

type Props = { certificate: PublicReach['certificate'] };

/** Asks for the certificate again at once, when an admin has mended why it failed, and says what came of it (R-ACME-35). */
export function RetryCertificate({ certificate }: Props) {
  const { issuing, last_error: failure, valid_until: until } = certificate;
  const queryClient = useQueryClient();
  const [wasAsked, setWasAsked] = useState(false);
  const [problem, setProblem] = useState<Failure | null>(null);
  const { submit, busy } = useSubmit(async () => {
    setProblem(null);
    try {
      await retryCertificate();
      setWasAsked(true);
    } catch (error) {
      setWasAsked(false);
      setProblem(failureOf(error, 'Sertifikat belum dapat diminta'));
    }
    await queryClient.invalidateQueries({ queryKey: systemKeys.info });
  });
  const isWorking = busy || (issuing && wasAsked);
  if (!failure && !wasAsked && !problem) return null;
  return (
    <div className={classes['retry']}>
      {failure || isWorking ? (
        <Button
          variant="default"
          classNames={{ root: classes['button'] ?? '', label: classes['label'] ?? '' }}
          loading={isWorking}
          onClick={() => void submit()}
        >
          Coba lagi sekarang
        </Button>
      ) : null}
      <output className={classes['result']}>
        {isWorking ? 'Sertifikat sedang diminta. Ini dapat memakan waktu beberapa menit.' : null}
        {!isWorking && wasAsked && failure ? 'Masih gagal. Sebabnya tertulis di atas.' : null}
        {!isWorking && wasAsked && !failure && until !== null ? `Berhasil. Berlaku sampai ${showDate(until)}.` : null}
      </output>
      <FormFailure failure={isWorking ? null : problem} />
    </div>
  );
}
