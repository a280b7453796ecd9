import { Anchor, CloseButton } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Side } from '#shared/events.ts';
import { paths } from '#client/paths.ts';
import classes from './composer.module.css';
import type { RefusedFile } from './use-refused-files.ts';

type Props = { refused: RefusedFile; side: Side; onDismiss: () => void };

/** Says that the chat takes no files, and where a picture belongs (docs/requirements.md R-CHAT-28). */
export function RefusedFileNotice({ refused, side, onDismiss }: Props) {
  return (
    <output className={classes['refused']}>
      {refused === null ? null : (
        <>
          <span>
            {refused === 'image' ? (
              <>
                Gambar belum bisa dikirim lewat chat. Unggah di{' '}
                <Anchor component={Link} to={side === 'admin' ? paths.adminRecords : paths.records} inherit>
                  Data Pajak
                </Anchor>
                .
              </>
            ) : (
              'File belum bisa dikirim lewat chat.'
            )}
          </span>
          <CloseButton size={36} aria-label="Tutup pemberitahuan" onClick={onDismiss} />
        </>
      )}
    </output>
  );
}
