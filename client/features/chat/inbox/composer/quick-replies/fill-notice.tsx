import { Button, Loader } from '@mantine/core';
import classes from './quick-replies.module.css';
import type { useFillReply } from './use-fill-reply.ts';

/** Below the field: a quick reply is being filled in, or could not be. */
export function FillNotice({ filling: { state, cancel } }: { filling: ReturnType<typeof useFillReply> }) {
  if (state.kind === 'idle') return null;
  if (state.kind === 'busy') {
    return (
      <output className={classes['filling']}>
        <Loader size="xs" aria-hidden /> Mengisi “{state.title}” dengan data warga…
      </output>
    );
  }
  return (
    <div className={classes['filling']} role="alert">
      <span className={classes['failureText']}>
        “{state.title}” gagal disisipkan. {state.error}
      </span>
      <Button variant="subtle" size="compact-sm" mih={44} onClick={state.retry}>
        Coba lagi
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" mih={44} onClick={cancel}>
        Tutup
      </Button>
    </div>
  );
}
