import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload, IconFileSpreadsheet, IconFileTypePdf, IconPrinter } from '@tabler/icons-react';
import type { TakeOutKind } from './use-take-out.ts';

type Props = {
  /** What is taken out, for screen readers: 'semua hasil', '3 data terpilih'. */
  what: string;
  disabled?: boolean;
  onPick: (kind: TakeOutKind) => void;
};

/** Files and paper. */
export function TakeOutMenu({ what, disabled = false, onPick }: Props) {
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          px="md"
          disabled={disabled}
          leftSection={<IconDownload size={18} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          aria-label={`Export atau print ${what}`}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{what}</Menu.Label>
        <Menu.Item leftSection={<IconFileSpreadsheet size={18} aria-hidden />} onClick={() => onPick('xlsx')}>
          Export Excel
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypePdf size={18} aria-hidden />} onClick={() => onPick('pdf')}>
          Export PDF
        </Menu.Item>
        <Menu.Item leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => onPick('print')}>
          Print
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
