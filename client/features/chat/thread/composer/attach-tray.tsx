import { Center, CloseButton, Loader, VisuallyHidden } from '@mantine/core';
import { IconFile, IconFileInvoice, IconFileTypePdf } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { formatRupiah } from '#shared/domain/money/rupiah.ts';
import { ESTIMATE_LABEL } from '#shared/rollover-texts.ts';
import { ATTACHMENTS_PER_MESSAGE_MAX } from '#shared/limits.ts';
import { isPhoto } from '#shared/message-contents.ts';
import { statusLabels } from '#shared/labels.ts';
import { NOT_KEPT_TEXT } from '../../drafts/draft-files.ts';
import type { RecordDraft } from '../../drafts/record-draft.ts';
import type { OutboxFile } from '../../files/outbox-file.ts';
import { useLocalFileUrl } from '../../files/local-files.ts';
import { attachTexts } from './attach-texts.ts';
import classes from './attach.module.css';
import type { Attachments } from './use-attachments.ts';
import type { PreparingFile } from './preparing-files.ts';

type Props = {
  attachments: Attachments;
  /** Takes the focus when nothing is left to remove. */
  field: RefObject<HTMLElement | null>;
  /** Said about the room that is left for files. */
  notice: string | null;
};

function PhotoPreview({ file }: { file: OutboxFile }) {
  const url = useLocalFileUrl(file.id, file.hasThumb ? 'thumb' : 'file');
  return url === null ? (
    <span className={classes['photo']} />
  ) : (
    <img className={classes['photo']} src={url} alt={file.name} />
  );
}

function DocumentPreview({ name, type, bytes }: { name: string; type: string; bytes: number }) {
  const Icon = type === 'application/pdf' ? IconFileTypePdf : IconFile;
  return (
    <span className={classes['document']}>
      <Icon size={26} aria-hidden />
      <span className={classes['documentText']}>
        <span className={classes['name']} title={name}>
          {name}
        </span>
        <span className={classes['size']}>{formatBytes(bytes)}</span>
      </span>
    </span>
  );
}

function FilePreview({ file }: { file: OutboxFile }) {
  return isPhoto(file.type) ? <PhotoPreview file={file} /> : <DocumentPreview {...file} />;
}

function PreparingPreview({ file }: { file: PreparingFile }) {
  return file.url === null ? (
    <li className={classes['tile']} data-wide>
      <DocumentPreview {...file} />
      <span className={classes['remove']}>
        <Loader size="xs" aria-hidden />
      </span>
    </li>
  ) : (
    <li className={classes['tile']}>
      <img
        className={classes['photo']}
        src={file.url}
        alt={file.name}
        // A photo that this browser cannot show is hidden until the check of the file ends.
        onError={({ currentTarget }) => (currentTarget.style.visibility = 'hidden')}
      />
      <Center component="span" pos="absolute" inset={0} bg="rgb(0 0 0 / 45%)">
        <Loader size="sm" color="white" aria-hidden />
      </Center>
    </li>
  );
}

function RecordChip({ record, onRemove }: { record: RecordDraft; onRemove: () => void }) {
  const { year, spt_number, amount, amount_source, status, name } = record;
  const estimate = amount_source === 'estimate' ? ` ${ESTIMATE_LABEL}` : '';
  return (
    <li className={classes['tile']} data-wide="record">
      <span className={classes['document']}>
        <IconFileInvoice size={26} aria-hidden />
        <span className={classes['documentText']}>
          <span className={classes['name']} title={name}>
            Data PBB {year} · {name}
          </span>
          <span className={classes['size']}>
            {formatSptNumber(spt_number)} · {formatRupiah(amount)}
            {estimate} · {statusLabels[status]}
          </span>
        </span>
      </span>
      <CloseButton
        className={classes['remove'] ?? ''}
        iconSize={18}
        aria-label={`Batal membagikan data PBB ${year}`}
        onClick={onRemove}
      />
    </li>
  );
}

/** Above the message field: what the next message carries, each with a button to remove it. */
export function AttachTray({ attachments, field, notice }: Props) {
  const { files, preparing, record, refusals, missing, isKept, announcement } = attachments;
  const list = useRef<HTMLUListElement>(null);
  const isEmpty = files.length + preparing.length === 0 && record === null;

  /** The focus goes to the button that takes this one's place. */
  function removeAt(button: Element | null, remove: () => void): void {
    const buttons = Array.from(list.current?.querySelectorAll('button') ?? []);
    const place = buttons.findIndex((known) => known === button);
    const next = buttons[place + 1] ?? buttons[place - 1] ?? field.current;
    remove();
    next?.focus({ preventScroll: true });
  }

  function handleKey(event: KeyboardEvent<HTMLUListElement>): void {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    if (!(event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    event.target.click();
  }

  return (
    <>
      <VisuallyHidden component="output">{announcement}</VisuallyHidden>
      {isEmpty ? null : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a key of the buttons inside
        <ul ref={list} className={classes['tray']} aria-label="Lampiran pesan ini" onKeyDown={handleKey}>
          {record ? (
            <RecordChip
              record={record}
              onRemove={() => removeAt(document.activeElement, () => attachments.removeRecord())}
            />
          ) : null}
          {files.map((file) => (
            <li key={file.id} className={classes['tile']} data-wide={isPhoto(file.type) ? undefined : true}>
              <FilePreview file={file} />
              <CloseButton
                className={classes['remove'] ?? ''}
                data-on-photo={isPhoto(file.type) || undefined}
                iconSize={18}
                aria-label={`Hapus ${file.name}`}
                title={file.name}
                onClick={({ currentTarget }) => removeAt(currentTarget, () => attachments.remove(file))}
              />
            </li>
          ))}
          {preparing.map((file) => (
            <PreparingPreview key={file.id} file={file} />
          ))}
        </ul>
      )}
      <output className={classes['status']}>
        {preparing.length > 0
          ? `Menyiapkan ${preparing.length === 1 ? (preparing[0]?.name ?? 'berkas') : `${preparing.length} berkas`}…`
          : null}
      </output>
      {files.length > 0 && !isKept ? <p className={classes['notice']}>{NOT_KEPT_TEXT}</p> : null}
      {notice === null || files.length === 0 ? null : <p className={classes['notice']}>{notice}</p>}
      {files.length > ATTACHMENTS_PER_MESSAGE_MAX ? (
        <div role="alert" className={classes['refusals']}>
          <p>{attachTexts.overfull(files.length)}</p>
        </div>
      ) : null}
      {missing.length > 0 ? (
        <div role="alert" className={classes['refusals']}>
          <p>{attachTexts.missing(missing.map(({ name }) => name))}</p>
        </div>
      ) : null}
      {refusals.length > 0 ? (
        <div role="alert" className={classes['refusals']}>
          <div>
            {refusals.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
          <CloseButton
            size={44}
            iconSize={18}
            aria-label="Tutup pemberitahuan"
            onClick={() => {
              attachments.dismissRefusals();
              field.current?.focus({ preventScroll: true });
            }}
          />
        </div>
      ) : null}
    </>
  );
}
