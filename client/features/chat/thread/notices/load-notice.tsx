import { Button, Loader, Text } from '@mantine/core';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { NoAdminContactError } from '../../state/model/retry-policy.ts';
import classes from './notices.module.css';
import { useIsSlow } from './use-is-slow.ts';

type Props = {
  busy: boolean;
  /** The error of the last try; null if there was none. */
  error: unknown;
  failedText: string;
  busyText: string;
  onRetry: () => void;
  /** Not spoken by screen readers while it loads. */
  quiet?: boolean;
};

/** Stands in place of missing messages: loading, slow, or failed. */
export function LoadNotice({ busy, error, failedText, busyText, onRetry, quiet = false }: Props) {
  const slow = useIsSlow(busy && error === null);
  if (error instanceof NoAdminContactError) {
    return (
      <output className={classes['loadNotice']}>
        <Text span fw={600}>
          {error.message}
        </Text>
        <Text span fz="sm" c="dimmed">
          Tulis saja pesan Anda. Pesan dikirim begitu ada admin.
        </Text>
      </output>
    );
  }
  if (error === null && !slow) {
    const Notice = quiet ? 'div' : 'output';
    return (
      <Notice className={classes['loadNotice']}>
        <Loader size="sm" aria-hidden />
        <Text span fz="sm" c="dimmed">
          {busyText}
        </Text>
      </Notice>
    );
  }
  const hint = error === null ? 'Server belum menjawab. Koneksi Anda mungkin lambat.' : hintOf(error);
  return (
    <div className={classes['loadNotice']} role="alert">
      <Text span fw={600}>
        {error === null ? busyText : messageOf(error, failedText)}
      </Text>
      {hint ? (
        <Text span fz="sm" c="dimmed">
          {hint}
        </Text>
      ) : null}
      <Button variant="light" size="compact-md" mih={44} onClick={onRetry}>
        Coba lagi
      </Button>
    </div>
  );
}
