/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select would take the focus from the field */
import { Anchor, Button, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { paths } from '#client/paths.ts';
import classes from './quick-replies.module.css';
import type { ReplyPicker } from './use-reply-picker.ts';

/** What to say where there is nothing to choose. */
function EmptyNotice({ picker }: { picker: ReplyPicker }) {
  const { all, error, retry } = picker;
  if (error) {
    return (
      <p className={classes['notice']} role="alert">
        {messageOf(error, hintOf(error) ?? 'Gagal memuat balasan cepat')}{' '}
        <Button variant="subtle" size="compact-sm" mih={44} onClick={retry}>
          Coba lagi
        </Button>
      </p>
    );
  }
  if (!all) return <output className={classes['notice']}>Memuat balasan cepat…</output>;
  return (
    <output className={classes['notice']}>
      {all.length === 0 ? 'Belum ada balasan cepat. ' : 'Tidak ada balasan cepat yang cocok. '}
      <Anchor component={Link} to={paths.quickReplies} inherit>
        {all.length === 0 ? 'Buat atau impor contohnya' : 'Kelola balasan cepat'}
      </Anchor>
    </output>
  );
}

/** The quick replies above the field; the field keeps the focus and chooses. */
export function ReplyList({ picker }: { picker: ReplyPicker }) {
  const { isOpen, listId, optionIdOf, found, activeIndex, choose } = picker;
  if (!isOpen) return null;
  return (
    <div className={classes['picker']}>
      <p className={classes['pickerTitle']} aria-hidden>
        Balasan cepat
      </p>
      <VisuallyHidden component="output">
        {found.length > 0 ? `Balasan cepat: ${found.length} pilihan, Enter untuk menyisipkan` : ''}
      </VisuallyHidden>
      {found.length === 0 ? <EmptyNotice picker={picker} /> : null}
      {/* Always there, because the field names it. */}
      <div id={listId} role="listbox" aria-label="Balasan cepat" className={classes['options']}>
        {found.map(({ id, shortcut, title, content, personal }, index) => (
          // The field has the focus and handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={id}
            id={optionIdOf(index)}
            role="option"
            aria-selected={index === activeIndex}
            className={classes['option']}
            // The field must keep the focus: it knows where to insert.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(index)}
          >
            <span className={classes['optionHead']}>
              <strong>/{shortcut}</strong> <span>{title}</span>
              {personal ? <span className={classes['own']}>milik sendiri</span> : null}
            </span>
            <span className={classes['optionText']}>{content}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
