import { APP_NAME } from '#shared/labels.ts';
import { programName } from '#server/files/program-name.ts';
import { programResources } from '#server/files/program-resources.ts';
import { isSingleBinary } from '#server/files/resources.ts';
import { settingsTable } from '#server/settings-table.ts';
import { APP_VERSION, RUNTIME } from '#server/process/version.ts';
import { parseOptions, printLine, type Command } from './terminal/command.ts';
import { UsageError } from './terminal/command-errors.ts';

type Topic = {
  /** The forms of the command, each with its meaning. */
  usages: [words: string, meaning: string][];
  details: string[];
};

/** The files that `help panduan` and `help lisensi` print; they ship with the program. */
const documents = new Map([
  ['panduan', 'guide/operations.md'],
  ['lisensi', 'LICENSES.txt'],
]);

/** As `findDefaultDataDir` finds it: the single binary is started from other folders too. */
export function defaultDataFolder(isBinary: boolean): string {
  return isBinary ? '"data" di folder program ini' : '"data" di folder ini';
}

const DATA_OPTION: [string, string] = [
  '--data FOLDER',
  `folder data yang dipakai (tanpa ini: DATA_DIR, atau ${defaultDataFolder(isSingleBinary())})`,
];

const optionLines = (...list: [string, string][]): string[] => ['Pilihan:', ...formatColumns([...list, DATA_OPTION])];

/** The help of every command, in the order in which `help` lists them. */
const topics = {
  serve: {
    usages: [['serve', 'menjalankan server; juga yang terjadi bila tanpa perintah']],
    details: [
      ...optionLines(
        ['--port ANGKA', `porta (tanpa ini: PORT, atau ${settingsTable.PORT.defaultText}); 0 mengambil yang bebas`],
        ['--tls', 'juga https, dengan sertifikat buatan sendiri untuk jaringan kantor'],
      ),
      '',
      'Setelan lain diberikan lewat variabel lingkungan, atau berkas "setelan.env" di dalam folder data,',
      'satu baris satu setelan, misalnya: PORT=8080',
      'Catatan (log) ada di folder data, di dalam folder "logs". Hentikan server dengan Ctrl+C.',
    ],
  },
  backup: {
    usages: [
      ['backup [--ke FOLDER]', 'membuat satu cadangan sekarang, juga selagi server berjalan'],
      ['backup --periksa NAMA', 'memeriksa apakah satu cadangan utuh; tidak mengubah apa pun'],
    ],
    details: optionLines(
      ['--ke FOLDER', 'simpan di folder ini, misalnya disk USB, sebagai satu berkas'],
      ['--periksa NAMA', 'letak cadangan (folder atau berkas .tar), atau namanya saja'],
    ),
  },
  restore: {
    usages: [['restore NAMA [--ya]', 'mengganti seluruh data dengan isi cadangan; data sekarang disisihkan']],
    details: [...optionLines(['--ya', 'jangan bertanya lagi']), '', 'Tanpa NAMA: daftar cadangan yang ada.'],
  },
  accept: {
    usages: [['accept [--ya]', 'menerima folder data yang ditolak server: databasenya hilang, asing, atau lebih lama']],
    details: [
      ...optionLines(['--ya', 'jangan bertanya lagi']),
      '',
      'Sebelumnya diterangkan apa yang terjadi. Tidak ada yang dihapus: yang lama disisihkan 30 hari.',
      'Coba dulu mengembalikan pbb.sqlite, atau "restore".',
    ],
  },
  pindah: {
    usages: [['pindah --ke | --dari ALAMAT', 'memindahkan kantor ke PostgreSQL, atau kembali ke folder data']],
    details: [
      ...optionLines(
        ['--ke ALAMAT', 'dari folder data ke database kosong, postgres://nama:sandi@komputer:5432/database'],
        ['--dari ALAMAT', 'dari database itu ke folder data yang kosong'],
        ['--tanpa-berkas', 'biarkan foto dan dokumen di tempatnya'],
      ),
      '',
      'Hentikan semua server dulu. Dibuat cadangan, lalu semuanya disalin dan dibandingkan; yang ditinggalkan ditandai.',
      'Foto dan dokumen PostgreSQL ada di FILES_DIR (tanpa itu: di folder data).',
    ],
  },
  admin: {
    usages: [
      ['admin create', 'membuat administrator baru'],
      ['admin reset-password', 'memberi password baru kepada akun yang lupa; semua sesinya berakhir'],
    ],
    details: [
      ...formatColumns([
        ['admin reset-second-factor', 'menghapus kode kedua akun yang kehilangan HP; semua sesinya berakhir'],
        ['admin second-factor-code', 'membuat kode pemasangan kode kedua untuk administrator'],
      ]),
      '',
      ...optionLines(
        ['--email ALAMAT', 'akun yang dimaksud'],
        ['--name NAMA', 'nama administrator baru'],
        ['--password-stdin', 'baca password dari masukan (satu baris), untuk skrip'],
      ),
      '',
      'Di terminal, password ditanyakan dua kali tanpa terlihat; bila dikosongkan, dibuatkan dan ditampilkan sekali.',
      'Boleh dijalankan selagi server berjalan.',
    ],
  },
  doctor: {
    usages: [
      ['doctor [--publik]', 'memeriksa setelan, data, disk, porta, jam, cadangan; apakah aman dibuka ke internet'],
    ],
    details: [
      ...optionLines([
        '--publik',
        'juga password administrator, nama domain, porta terbuka, firewall, cadangan di luar; menanyakan DNS',
      ]),
      '',
      'Satu baris untuk setiap hal: "ok", atau "PERIKSA" dengan apa yang perlu dilakukan. Tidak mengubah apa pun.',
    ],
  },
  service: {
    usages: [
      ['service install', 'menjalankan server setiap kali komputer menyala, dan lagi bila berhenti sendiri'],
      ['service start | stop', 'menjalankan atau menghentikan layanan yang sudah terpasang'],
      ['service uninstall', 'menghentikan dan melepasnya; data tidak disentuh'],
      ['service status | show', 'apakah layanan terpasang dan berjalan; berkas layanan, tanpa memasang apa pun'],
    ],
    details: optionLines(
      ['--user NAMA', 'Linux dan macOS, sebagai root: pengguna yang menjalankan server'],
      ['--for SISTEM', 'untuk show: linux, mac, atau windows'],
    ),
  },
  version: { usages: [['version', 'versi program ini']], details: [] },
  help: {
    usages: [
      ['help [PERINTAH]', 'penjelasan ini, atau tentang satu perintah'],
      [
        `help ${[...documents.keys()].join(' | ')}`,
        'panduan lengkap untuk kantor, atau lisensi perangkat lunak di dalamnya',
      ],
    ],
    details: [],
  },
} satisfies Record<string, Topic>;

/** registry.ts must have exactly these commands, so that none lacks its help. */
export type CommandName = keyof typeof topics;

const topicsByName = new Map<string, Topic>(Object.entries(topics));

function formatColumns(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

export const help: Command = async (args) => {
  const [name] = parseOptions(args, {}, 1).positionals;
  const document = documents.get(name ?? '');
  if (document !== undefined) {
    printLine(programResources().read(document).toString('utf8').trimEnd());
    return 0;
  }
  const topic = topicsByName.get(name ?? '');
  if (name !== undefined && !topic) throw new UsageError(`Perintah "${name}" tidak dikenal.`);
  const lines = topic
    ? ['Pemakaian:', ...formatColumns(topic.usages), ...(topic.details.length > 0 ? ['', ...topic.details] : [])]
    : [
        `${APP_NAME} v${APP_VERSION}`,
        '',
        `Pemakaian: ${programName()} [PERINTAH] [PILIHAN]`,
        '',
        'Perintah:',
        ...formatColumns([...topicsByName.values()].flatMap(({ usages }) => usages)),
        '',
        `Tentang satu perintah: ${programName()} help PERINTAH`,
      ];
  printLine(lines.join('\n'));
  return 0;
};

export const version: Command = async (args) => {
  parseOptions(args, {});
  printLine(`${APP_NAME} v${APP_VERSION} (Node ${RUNTIME.node}, ${RUNTIME.platform})`);
  return 0;
};
