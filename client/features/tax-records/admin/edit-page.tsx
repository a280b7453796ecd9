import { Paper, Text } from '@mantine/core';
import { RecordEditPage } from '../pages/record-edit-page.tsx';

/** /admin/tax-records/{id}/edit (R-REC-24); shows the owner above the fields. */
export function AdminRecordEditPage() {
  return (
    <RecordEditPage
      scope="admin"
      renderOwner={({ name, email }) => (
        <Paper withBorder p="lg">
          <Text c="dimmed" fz="sm">
            Pemilik
          </Text>
          <Text fw={600}>{name}</Text>
          <Text style={{ overflowWrap: 'anywhere' }}>{email}</Text>
        </Paper>
      )}
    />
  );
}
