import { Card, Text, Title } from '@mantine/core';
import { LazyPushChoices } from '#client/features/chat/display/push/lazy-push-choices.tsx';

/**
 * Notifications of an admin while the app is closed (R-PUSH-61). Unlike the switches above them, these are stored at once. Over
 * plain http there are none; the alert below 'Notifikasi desktop' says so.
 */
export function PushCard() {
  if (!window.isSecureContext) return null;
  return (
    <Card component="section" aria-labelledby="notifikasi-tertutup">
      <Title order={2} id="notifikasi-tertutup" mb={4}>
        Notifikasi saat aplikasi tertutup
      </Title>
      <Text c="dimmed" mb="xs">
        Untuk akun Anda sendiri. Perubahan langsung tersimpan.
      </Text>
      <LazyPushChoices side="admin" />
    </Card>
  );
}
