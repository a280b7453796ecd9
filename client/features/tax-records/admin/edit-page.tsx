import { Group, Paper, Text } from '@mantine/core';
import { RecordEditPage } from '../pages/record-edit-page.tsx';

/** /admin/tax-records/{id}/edit (R-REC-24); shows the owner above the fields. */
export function AdminRecordEditPage() {
  return (
    <RecordEditPage
      scope="admin"
      renderOwner={({ name, email }) => (
        <Paper withBorder px="lg" py="sm">
          <Group gap="xs">
            <Text c="dimmed">Pemilik</Text>
            <Text fw={600}>{name}</Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{email}</Text>
          </Group>
        </Paper>
      )}
    />
  );
}
