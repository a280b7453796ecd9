import { Combobox, Kbd, Loader, Modal, Text, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { SEARCH_MAX } from '#shared/limits.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { SHOW_SHORTCUTS, usePaletteTargets } from './command-palette-targets.ts';
import classes from './command-palette.module.css';
import { isPaletteKey } from './palette-state.ts';

const DEBOUNCE_MS = 200;
const LABEL = 'Cari halaman, pengguna, atau data PBB';

/** At once: the focus trap of the dialog would wait a task longer, and the first letters would go to the page. */
const focusAtOnce = (field: HTMLInputElement | null): void => field?.focus({ preventScroll: true });

type Props = { onClose: () => void; onShowShortcuts: () => void; onMarkPaid: (record: TaxRecord) => void };

/** The dialog of the palette: a field that keeps the focus, above a list controlled by the arrow keys. */
export function CommandPaletteDialog({ onClose, onShowShortcuts, onMarkPaid }: Props) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const typed = text.trim();
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS);
  const { groups, loading, failed } = usePaletteTargets(typed, search);
  const count = groups.reduce((sum, { targets }) => sum + targets.length, 0);
  // The list is always open; Escape closes the whole dialog.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });

  // Selects the first entry of each new list, for the Enter key.
  const shownKeys = groups.flatMap(({ targets }) => targets.map(({ key }) => key)).join();
  const { selectFirstOption } = combobox;
  useEffect(() => {
    if (shownKeys !== '') selectFirstOption();
  }, [shownKeys, selectFirstOption]);

  function choose(key: string) {
    const target = groups.flatMap(({ targets }) => targets).find((candidate) => candidate.key === key);
    if (!target) return;
    if (target.to === SHOW_SHORTCUTS) {
      onShowShortcuts();
      return;
    }
    onClose();
    if (target.markPaid) {
      onMarkPaid(target.markPaid);
      return;
    }
    void navigate(target.to);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="10dvh"
      aria-label="Lompat ke"
      onKeyDown={(event) => {
        if (!isPaletteKey(event)) return;
        event.preventDefault();
        onClose();
      }}
    >
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            ref={focusAtOnce}
            data-autofocus
            variant="unstyled"
            aria-label={LABEL}
            placeholder={LABEL}
            maxLength={SEARCH_MAX}
            autoComplete="off"
            spellCheck={false}
            leftSection={<IconSearch size={20} aria-hidden />}
            leftSectionWidth={52}
            rightSection={loading ? <Loader size={18} aria-hidden /> : <Kbd aria-hidden>Esc</Kbd>}
            rightSectionWidth={64}
            className={classes['field'] ?? ''}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes['list'] ?? ''} aria-label="Tujuan">
          {groups.map(({ name, targets }) => (
            <Combobox.Group key={name} label={name}>
              {targets.map((target) => (
                <Combobox.Option key={target.key} value={target.key} className={classes['option'] ?? ''}>
                  <span className={classes['title']}>{target.title}</span>
                  {target.text ? <span className={classes['text']}>{target.text}</span> : null}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox>
      {count === 0 && !loading ? (
        <Text c="dimmed" p="lg" ta="center">
          {failed ? 'Pencarian gagal. Periksa koneksi Anda lalu coba lagi.' : 'Tidak ada yang cocok.'}
        </Text>
      ) : null}
      <VisuallyHidden component="output">{loading ? 'Mencari…' : `${count} tujuan`}</VisuallyHidden>
    </Modal>
  );
}
