import { Button, type ButtonProps } from '@mantine/core';
import { IconListDetails, IconTableImport } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';

/** The way to the import of a year's list. */
export function ImportLink({ year, ...props }: ButtonProps & { year: number }) {
  return (
    <Button
      component={Link}
      to={paths.adminDhkpImportOf(year)}
      leftSection={<IconTableImport size={18} aria-hidden />}
      {...props}
    >
      Impor daftar
    </Button>
  );
}

/** Takes the place of objects in a year without a list. */
export function NoList({ year, description }: { year: number; description: string }) {
  return (
    <EmptyState
      icon={IconListDetails}
      title={`Belum ada daftar untuk ${year}`}
      description={description}
      action={<ImportLink year={year} mt="xs" />}
    />
  );
}
