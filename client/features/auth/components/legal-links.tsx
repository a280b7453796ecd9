import { Anchor, Button, Group, List, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { type LegalText, privacy, terms } from '../legal-texts.ts';

const links = [
  { text: terms, name: 'Syarat & Ketentuan (Terms)' },
  { text: privacy, name: 'Kebijakan Privasi (Privacy)' },
] as const;

/** What one agrees to by registering. The links open dialogs; the address stays (contract 6). */
export function LegalLinks() {
  const [opened, setOpened] = useState(false);
  // The words stay while the dialog fades out.
  const [shown, setShown] = useState<LegalText>(terms);
  const [termsLink, privacyLink] = links.map(({ text, name }) => (
    <Anchor
      key={text.title}
      component="button"
      type="button"
      fz="sm"
      fw={600}
      aria-label={name}
      aria-haspopup="dialog"
      onClick={() => {
        setShown(text);
        setOpened(true);
      }}
    >
      {text.title}
    </Anchor>
  ));
  return (
    <>
      <Text fz="sm" c="dimmed">
        Dengan mendaftar, Anda menyetujui {termsLink} dan {privacyLink}.
      </Text>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={shown.title}
        centered
        closeButtonProps={{ 'aria-label': 'Tutup' }}
      >
        <Text mb="md">{shown.intro}</Text>
        <List spacing="sm" pr="xs">
          {shown.points.map((point) => (
            <List.Item key={point}>{point}</List.Item>
          ))}
        </List>
        <Group justify="flex-end" mt="xl" className="dialog-actions">
          <Button onClick={() => setOpened(false)} data-autofocus>
            Mengerti
          </Button>
        </Group>
      </Modal>
    </>
  );
}
