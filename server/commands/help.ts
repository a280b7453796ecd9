import { APP_NAME } from '#shared/texts.ts';
import { programResources } from '#server/files/program-resources.ts';
import { APP_VERSION } from '#server/version.ts';
import { parseOptions, programName, say, type Command } from './command.ts';
import { UsageError } from './fault.ts';

type Topic = {
  /** What may follow the program's name: each way with what it does. */
  ways: [words: string, meaning: string][];
  more: string[];
};

/** The word for the handbook that ships with the program. */
const GUIDE = 'panduan';

const DATA: [string, string] = [
  '--data FOLDER',
  'folder data yang dipakai (tanpa ini: DATA_DIR, atau "data" di folder ini)',
];

const options = (...list: [string, string][]): string[] => ['Pilihan:', ...columns([...list, DATA])];

const topics: Record<string, Topic> = {
  serve: {
    ways: [['serve', 'menjalankan server; juga yang terjadi bila tanpa perintah']],
    more: [
      ...options(
        ['--port ANGKA', 'porta (tanpa ini: PORT, atau 3000); 0 mengambil yang bebas'],
        ['--tls', 'juga https, dengan sertifikat buatan sendiri untuk jaringan kantor'],
      ),
      '',
      'Setelan lain diberikan lewat variabel lingkungan, atau berkas "setelan.env" di dalam folder data,',
      'satu baris satu setelan, misalnya: PORT=8080',
      'Catatan (log) ada di folder data, di dalam folder "logs". Hentikan server dengan Ctrl+C.',
    ],
  },
  backup: {
    ways: [
      ['backup [--ke FOLDER]', 'membuat satu cadangan sekarang, juga selagi server berjalan'],
      ['backup --periksa FILE', 'memeriksa apakah satu cadangan utuh; tidak mengubah apa pun'],
    ],
    more: options(
      ['--ke FOLDER', 'simpan di folder ini, misalnya disk USB'],
      ['--periksa FILE', 'letak cadangan, atau namanya saja'],
    ),
  },
  restore: {
    ways: [['restore FILE [--ya]', 'mengganti seluruh data dengan isi cadangan; data sekarang disisihkan']],
    more: [...options(['--ya', 'jangan bertanya lagi']), '', 'Tanpa FILE: daftar cadangan yang ada.'],
  },
  admin: {
    ways: [
      ['admin create', 'membuat administrator baru'],
      ['admin reset-password', 'memberi password baru kepada akun yang lupa; semua sesinya berakhir'],
    ],
    more: [
      ...options(
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
    ways: [['doctor', 'memeriksa setelan, folder data, database, ruang disk, porta, jam, cadangan, jaringan']],
    more: [
      ...options(),
      '',
      'Satu baris untuk setiap hal: "ok", atau "PERIKSA" dengan apa yang perlu dilakukan. Tidak mengubah apa pun.',
    ],
  },
  service: {
    ways: [
      ['service install', 'menjalankan server setiap kali komputer menyala, dan lagi bila berhenti sendiri'],
      ['service start | stop', 'menjalankan atau menghentikan layanan yang sudah terpasang'],
      ['service uninstall', 'menghentikan dan melepasnya; data tidak disentuh'],
      ['service status', 'apakah layanan terpasang dan berjalan'],
      ['service show', 'menampilkan berkas layanan tanpa memasang apa pun'],
    ],
    more: options(
      ['--user NAMA', 'Linux dan macOS, sebagai root: pengguna yang menjalankan server'],
      ['--for SISTEM', 'untuk show: linux, mac, atau windows'],
    ),
  },
  version: { ways: [['version', 'versi program ini']], more: [] },
  help: {
    ways: [
      ['help [PERINTAH]', 'penjelasan ini, atau tentang satu perintah'],
      [`help ${GUIDE}`, 'panduan lengkap untuk kantor'],
    ],
    more: [],
  },
};

function columns(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

export const help: Command = async (args) => {
  const [name] = parseOptions(args, {}, 1).positionals;
  if (name === GUIDE) {
    say(programResources().read('guide/operations.md').toString('utf8').trimEnd());
    return 0;
  }
  const topic = name === undefined || !Object.hasOwn(topics, name) ? undefined : topics[name];
  if (name !== undefined && !topic) throw new UsageError(`Perintah "${name}" tidak dikenal.`);
  const lines = topic
    ? ['Pemakaian:', ...columns(topic.ways), ...(topic.more.length > 0 ? ['', ...topic.more] : [])]
    : [
        `${APP_NAME} v${APP_VERSION}`,
        '',
        `Pemakaian: ${programName()} [PERINTAH] [PILIHAN]`,
        '',
        'Perintah:',
        ...columns(Object.values(topics).flatMap(({ ways }) => ways)),
        '',
        `Tentang satu perintah: ${programName()} help PERINTAH`,
      ];
  say(lines.join('\n'));
  return 0;
};
