import { Anchor, Button, Group, List, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { legalTexts } from '#shared/legal-texts.ts';
import { LEGAL_DOCUMENTS, type LegalDocument } from '#shared/legal-versions.ts';

const englishNames: Record<LegalDocument, string> = { terms: 'Terms', privacy: 'Privacy' };

type Props = { documents?: readonly LegalDocument[] };

/** Links to the legal texts. They open dialogs and keep the address (docs/requirements.md R-AUTH-15). */
export function LegalTextLinks({ documents = LEGAL_DOCUMENTS }: Props) {
  const [opened, setOpened] = useState(false);
  // The text stays while the dialog fades out.
  const [shown, setShown] = useState<LegalDocument>('terms');
  const { title, intro, points } = legalTexts[shown];
  return (
    <>
      <Group gap="0 0.75rem">
        {documents.map((document) => (
          <Anchor
            key={document}
            component="button"
            type="button"
            fz="sm"
            fw={600}
            className="link-target"
            aria-label={`${legalTexts[document].title} (${englishNames[document]})`}
            aria-haspopup="dialog"
            onClick={() => {
              setShown(document);
              setOpened(true);
            }}
          >
            {legalTexts[document].title}
          </Anchor>
        ))}
      </Group>
      <Modal opened={opened} onClose={() => setOpened(false)} title={title} centered>
        <Text mb="md">{intro}</Text>
        <List spacing="sm" pr="xs">
          {points.map((point) => (
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
