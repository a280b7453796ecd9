import { Button } from '@mantine/core';
import { IconId } from '@tabler/icons-react';
import { useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { SelectionBar } from '#client/ui/list/rows/selection-bar.tsx';
import type { Selection } from '#client/ui/list/rows/use-selection.ts';
import { focusHeading } from '#client/ui/page/page-focus.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { ADMIN_USERS_MAX } from '#shared/limits.ts';
import { cardTexts } from '#shared/texts.ts';
import { CardDialog, type CardRequest } from '../display/cards/card-dialog.tsx';

/** Admins have no card. */
const requestOf = (users: readonly UserAnswer[]): CardRequest => ({
  holders: users.filter(({ is_admin }) => !is_admin),
  skipped: users
    .filter(({ is_admin }) => is_admin)
    .map(({ id, name }) => ({ key: id, name, reason: `${cardTexts.usersOnly}.` })),
});

/** The chosen accounts and 'Cetak kartu'. */
export function UserSelectionBar({ selection }: { selection: Selection<UserAnswer> }) {
  const [request, setRequest] = useState<CardRequest | null>(null);
  const { rows } = selection;

  function clear(): void {
    selection.clear();
    focusHeading();
  }

  return (
    <>
      {rows.length > 0 ? (
        <SelectionBar
          label="Pengguna yang dipilih"
          summary={<strong>{formatNumber(rows.length)} pengguna dipilih</strong>}
          selectableTotal={null}
          selectAllMax={ADMIN_USERS_MAX}
          rowsWord="pengguna"
          onSelectAll={selection.togglePage}
          onClear={clear}
        >
          <Button px="md" leftSection={<IconId size={18} aria-hidden />} onClick={() => setRequest(requestOf(rows))}>
            Cetak kartu
          </Button>
        </SelectionBar>
      ) : null}
      <CardDialog request={request} onClose={() => setRequest(null)} />
    </>
  );
}
