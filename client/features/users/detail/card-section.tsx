import { Button, Group, Text } from '@mantine/core';
import { IconId, IconIdOff } from '@tabler/icons-react';
import { useState } from 'react';
import { showDate, showDateTime } from '#client/lib/format.ts';
import { FormSection } from '#client/ui/form/form-section.tsx';
import type { AdminAccountAnswer } from '#shared/api/users.ts';
import { CardDialog, type CardRequest } from '../display/cards/card-dialog.tsx';
import { useEndCard } from '../use-user-actions.tsx';

type Card = NonNullable<AdminAccountAnswer['card']>;

/** The state of a card in words. */
function stateText({ made_at, activated_at, activation_expires_at, is_blocked }: Card): string {
  const made = `Dibuat ${showDateTime(made_at)}`;
  if (is_blocked) return `${made}. Diblokir karena terlalu banyak PIN salah: buat kartu baru.`;
  if (activated_at !== null) return `${made}, diaktifkan ${showDateTime(activated_at)}.`;
  const end = activation_expires_at === null ? '' : ` Kode aktivasi berlaku sampai ${showDate(activation_expires_at)}.`;
  return `${made}, belum diaktifkan.${end}`;
}

/** The card of a user: its state, a new one, or none any more (docs/requirements.md R-ACCESS-51). */
export function CardSection({ user }: { user: AdminAccountAnswer }) {
  const [request, setRequest] = useState<CardRequest | null>(null);
  const end = useEndCard();
  return (
    <FormSection
      title="Kartu warga"
      text="Untuk masuk tanpa email: dengan kode di kartu dan PIN pilihan pemegangnya. Lupa PIN atau kartu hilang? Buat kartu baru."
    >
      <Text>{user.card ? stateText(user.card) : 'Belum ada kartu.'}</Text>
      <Group gap="sm" className="no-print">
        <Button
          variant="default"
          leftSection={<IconId size={18} aria-hidden />}
          onClick={() => setRequest({ holders: [{ id: user.id, name: user.name }] })}
        >
          {user.card ? 'Kartu baru' : 'Buat kartu'}
        </Button>
        {user.card ? (
          <Button variant="default" leftSection={<IconIdOff size={18} aria-hidden />} onClick={() => void end(user)}>
            Cabut kartu
          </Button>
        ) : null}
      </Group>
      <CardDialog request={request} onClose={() => setRequest(null)} />
    </FormSection>
  );
}
