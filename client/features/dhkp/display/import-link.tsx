import { Button, type ButtonProps, Stack } from '@mantine/core';
import { IconListDetails, IconTableImport } from '@tabler/icons-react';
import type { ReactNode } from 'react';
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

type NoListProps = {
  year: number;
  description: string;
  /** Below the way to the import. */
  children?: ReactNode;
};

/** Takes the place of objects in a year without a list. */
export function NoList({ year, description, children }: NoListProps) {
  return (
    <EmptyState
      icon={IconListDetails}
      title={`Belum ada daftar untuk ${year}`}
      description={description}
      action={
        <Stack align="center" gap="xs" mt="xs">
          <ImportLink year={year} />
          {children}
        </Stack>
      }
    />
  );
}
