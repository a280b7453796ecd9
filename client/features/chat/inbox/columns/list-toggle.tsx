import { ActionIcon } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';

/** Four columns and the list beside them need a wide screen; without the list four fit from 1,400 px on. */
export function ListToggle({ isListHidden, onToggle }: { isListHidden: boolean; onToggle: () => void }) {
  const label = isListHidden ? 'Tampilkan daftar percakapan' : 'Sembunyikan daftar percakapan';
  const Icon = isListHidden ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <ActionIcon size={32} color="gray" aria-label={label} title={label} onClick={onToggle}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
}
