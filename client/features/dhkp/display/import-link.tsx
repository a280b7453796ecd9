import { Button, type ButtonProps, Stack } from '@mantine/core';
import { IconListDetails, IconTableImport } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { HandbookLink } from '#client/ui/page/handbook-link.tsx';

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
      action={
        <Stack align="center" gap="xs" mt="xs">
          <ImportLink year={year} />
          <HandbookLink chapter="lists" />
        </Stack>
      }
    />
  );
}
