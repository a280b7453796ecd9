import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, IconFileSpreadsheet, IconFileTypePdf, IconPrinter } from '@tabler/icons-react';
import type { ExportKind } from './worker-messages.ts';

export type ExportChoice = ExportKind | 'print';

type Props = {
  /** The exported rows, for screen readers too: 'semua hasil', '3 data terpilih'. */
  label: string;
  disabled?: boolean;
  onSelect: (kind: ExportChoice) => void;
};

/** The menu with both file formats and the print. */
export function ExportMenu({ label, disabled = false, onSelect }: Props) {
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          px="md"
          disabled={disabled}
          leftSection={<IconDownload size={18} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          aria-label={`Export atau print ${label}`}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{label}</Menu.Label>
        <Menu.Item leftSection={<IconFileSpreadsheet size={18} aria-hidden />} onClick={() => onSelect('xlsx')}>
          Export Excel
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypePdf size={18} aria-hidden />} onClick={() => onSelect('pdf')}>
          Export PDF
        </Menu.Item>
        <Menu.Item leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => onSelect('print')}>
          Print
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
