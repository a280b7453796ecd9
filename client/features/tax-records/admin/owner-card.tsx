import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconFileDescription, IconMessage } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';

/** The owner, with links to their page, their records and their chat. */
export function OwnerCard({ owner }: { owner: TaxRecord['user'] }) {
  return (
    <Paper component="section" withBorder p="lg">
      <Title order={2} fz="h3" mb="sm">
        Pemilik
      </Title>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={paths.adminUser(owner.id)} inherit>
          {owner.name}
        </Anchor>
      </Text>
      <Anchor href={`mailto:${owner.email}`} style={{ overflowWrap: 'anywhere' }}>
        {owner.email}
      </Anchor>
      <Group gap="xs" mt="md" className="no-print">
        <Button
          component={Link}
          to={paths.adminRecordsWhere({ user_id: owner.id })}
          variant="light"
          px="sm"
          leftSection={<IconFileDescription size={18} aria-hidden />}
        >
          Semua datanya
        </Button>
        <Button
          component={Link}
          to={paths.adminConversation(owner.id)}
          variant="subtle"
          px="sm"
          leftSection={<IconMessage size={18} aria-hidden />}
        >
          Chat
        </Button>
      </Group>
    </Paper>
  );
}
