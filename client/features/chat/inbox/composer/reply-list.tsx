/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select would take the focus from the field */
import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { paths } from '#client/paths.ts';
import classes from './quick-replies.module.css';
import { PICKER_ATTRIBUTE, type ReplyPicker } from './use-reply-picker.ts';

const NOTICE = { display: 'block', px: 'sm', pt: '0.5rem', pb: 'sm', fz: 'sm' } as const;

/** Explains why there is nothing to choose. */
function EmptyNotice({ picker, onFollow }: { picker: ReplyPicker; onFollow: () => void }) {
  const { all, error, retry } = picker;
  if (error) {
    return (
      <Text {...NOTICE} role="alert">
        {messageOf(error, hintOf(error) ?? 'Gagal memuat balasan cepat')}{' '}
        <Button variant="subtle" size="compact-sm" mih={44} onClick={retry}>
          Coba lagi
        </Button>
      </Text>
    );
  }
  if (!all)
    return (
      <Text component="output" {...NOTICE}>
        Memuat balasan cepat…
      </Text>
    );
  return (
    <Text component="output" {...NOTICE}>
      {all.length === 0 ? 'Belum ada balasan cepat. ' : 'Tidak ada balasan cepat yang cocok. '}
      <Anchor component={Link} to={paths.quickReplies} inherit onClick={onFollow}>
        {all.length === 0 ? 'Buat atau impor contohnya' : 'Kelola balasan cepat'}
      </Anchor>
    </Text>
  );
}

type Props = {
  picker: ReplyPicker;
  /** The link to the quick replies was followed. */
  onFollow: () => void;
  /** The focus leaves the list. @param next where it goes */
  onLeave: (next: EventTarget | null) => void;
  /** The list was closed by Escape while it had the focus. */
  onEscape: () => void;
};

/** The quick replies above the field; the field keeps the focus and chooses. */
export function ReplyList({ picker, onFollow, onLeave, onEscape }: Props) {
  const { isOpen, listId, optionIdOf, found, activeIndex, choose } = picker;
  if (!isOpen) return null;
  return (
    // The field has the focus and handles the keys; only a link or button in the list can take it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes['picker']}
      {...{ [PICKER_ATTRIBUTE]: '' }}
      // The field must keep the focus: it knows where to insert, and without it the list closes before the press ends.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onBlur={({ relatedTarget }) => onLeave(relatedTarget)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onEscape();
      }}
    >
      <Text px="sm" pt="0.5rem" pb="0.25rem" fz="xs" fw={600} c="dimmed" aria-hidden>
        Balasan cepat
      </Text>
      <VisuallyHidden component="output">
        {found.length > 0 ? `Balasan cepat: ${found.length} pilihan, Enter untuk menyisipkan` : ''}
      </VisuallyHidden>
      {found.length === 0 ? <EmptyNotice picker={picker} onFollow={onFollow} /> : null}
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
            onClick={() => choose(index)}
          >
            <span className={classes['optionHead']}>
              <strong>/{shortcut}</strong> <span>{title}</span>
              {personal ? <span className={classes['own']}>milik sendiri</span> : null}
            </span>
            <Text span className={classes['optionText'] ?? ''} fz="sm" lineClamp={3}>
              {content}
            </Text>
          </div>
        ))}
      </div>
    </div>
  );
}
