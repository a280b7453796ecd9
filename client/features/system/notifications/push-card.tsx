import { Button, Card, Skeleton, Text, Title } from '@mantine/core';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';

const loadChoices = async () => (await import('#client/features/chat/display/push/push-choices.tsx')).PushChoices;

/**
 * Notifications of an admin while the app is closed (R-PUSH-61). Unlike the switches above them, these are stored at once. Over
 * plain http there are none; the alert below 'Notifikasi desktop' says so.
 */
export function PushCard() {
  const { Component, hasFailed, retry } = useLazyComponent(loadChoices, 'Pilihan notifikasi belum dapat dimuat', {
    wanted: window.isSecureContext,
    delayMs: 0,
  });
  if (!window.isSecureContext) return null;
  return (
    <Card component="section" aria-labelledby="notifikasi-tertutup">
      <Title order={2} id="notifikasi-tertutup" mb={4}>
        Notifikasi saat aplikasi tertutup
      </Title>
      <Text c="dimmed" mb="xs">
        Untuk akun Anda sendiri. Perubahan langsung tersimpan.
      </Text>
      {Component ? (
        <Component side="admin" />
      ) : hasFailed ? (
        <Button variant="light" mih={44} onClick={retry}>
          Pilihan notifikasi gagal dimuat. Coba lagi
        </Button>
      ) : (
        <Skeleton height={72} radius="md" aria-hidden />
      )}
    </Card>
  );
}
