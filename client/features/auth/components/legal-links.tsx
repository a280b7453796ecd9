import { Anchor, Button, Group, List, Modal, Text } from '@mantine/core';
import { useState } from 'react';

type LegalText = { title: string; intro: string; points: string[] };

const terms: LegalText = {
  title: 'Syarat & Ketentuan',
  intro: 'Dengan mendaftar, Anda menyetujui hal-hal berikut.',
  points: [
    'PBB Kita membantu Anda mencatat tagihan dan bukti pembayaran PBB. Data di sini tidak menggantikan dokumen resmi dari kantor pajak daerah.',
    'Isilah data dengan benar, dan hanya untuk objek pajak yang menjadi tanggung jawab Anda.',
    'Jagalah kerahasiaan password Anda. Keluarlah dari akun setelah memakai ponsel atau komputer milik bersama.',
    'Administrator dapat menonaktifkan akun yang disalahgunakan.',
  ],
};

const privacy: LegalText = {
  title: 'Kebijakan Privasi',
  intro: 'Data Anda hanya dipakai untuk mengurus data PBB Anda.',
  points: [
    'Yang disimpan: nama, email, data PBB, foto bukti pembayaran, dan percakapan Anda dengan administrator beserta foto dan dokumen di dalamnya.',
    'Yang dapat melihatnya: Anda sendiri dan administrator. Data tidak dijual, dan tidak ada iklan atau pelacak.',
    'Password disimpan dalam bentuk teracak sehingga tidak dapat dibaca oleh siapa pun.',
    'Anda dapat mengubah atau menghapus data PBB Anda kapan saja.',
    'Akun beserta seluruh datanya dapat Anda minta dihapus di Akun Saya. Kantor memutuskannya sebelum tenggat yang tampil di sana, dan menyebut alasannya bila menolak.',
    'Yang tetap ada sesudah akun dihapus: riwayat perubahan di kantor, daftar objek dari kantor pajak, dan tanda terima. Cadangan kantor masih memuat data Anda sampai cadangannya diganti, biasanya paling lama 12 bulan; salinan berjalan kehilangannya dalam satu jam.',
  ],
};

const links = [
  { text: terms, name: 'Syarat & Ketentuan (Terms)' },
  { text: privacy, name: 'Kebijakan Privasi (Privacy)' },
] as const;

/** The terms of a registration. The links open dialogs and keep the address (docs/requirements.md R-AUTH-15). */
export function LegalLinks() {
  const [opened, setOpened] = useState(false);
  // The text stays while the dialog fades out.
  const [shown, setShown] = useState<LegalText>(terms);
  const [termsLink, privacyLink] = links.map(({ text, name }) => (
    <Anchor
      key={text.title}
      component="button"
      type="button"
      fz="sm"
      fw={600}
      className="link-target"
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
      <div>
        <Text fz="sm" c="dimmed">
          Dengan mendaftar, Anda menyetujui:
        </Text>
        <Group gap="sm">
          {termsLink}
          {privacyLink}
        </Group>
      </div>
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
