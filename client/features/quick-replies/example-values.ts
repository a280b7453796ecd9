import { fillTemplate, type ReplyVariable } from '#shared/domain/reply-template.ts';

/** The meaning of each variable, and its value for the user of the preview. */
export const variableTexts: Record<ReplyVariable, { meaning: string; example: string }> = {
  nama: { meaning: 'Nama warga', example: 'Siti Aminah' },
  nama_depan: { meaning: 'Nama depan warga', example: 'Siti' },
  jumlah_tunggakan: { meaning: 'Jumlah tunggakan', example: 'Rp 1.250.000' },
  daftar_tunggakan: {
    meaning: 'Daftar tunggakan',
    example:
      '- PBB 2024, No. SPT 32.76.010.001: Rp 500.000, jatuh tempo 30 September 2024\n- PBB 2025, No. SPT 32.76.010.001: Rp 750.000, jatuh tempo 30 September 2025',
  },
  jatuh_tempo_terdekat: { meaning: 'Jatuh tempo terdekat', example: '30 September 2026' },
  admin: { meaning: 'Nama admin yang menjawab', example: 'Ibu Ratna' },
  jam_layanan: { meaning: 'Jam layanan', example: 'Senin–Kamis 08.00–15.00, Jumat 08.00–11.30, Sabtu–Minggu tutup' },
};

/** A text for the resident of the preview. */
export function previewText(content: string): string {
  const values = Object.entries(variableTexts).map(([name, { example }]) => [name, example]);
  return fillTemplate(content, Object.fromEntries(values) as Record<ReplyVariable, string>).text;
}
