#!/bin/sh
# Cadangan PBB Kita pada PostgreSQL: database dengan pg_dump, lalu foto dan dokumen. Hasilnya ditulis ke
# FILES_DIR/status-cadangan.json, yang ditampilkan program di Pengaturan dan dibaca `doctor`.
# Pasang sebagai /usr/local/bin/pbb-kita-cadangan.
#
# Dari lingkungan (cadangan.env): FILES_DIR, BACKUP_DIR, KEEP_DAYS (bawaan 30), dan sambungan menurut libpq: PGHOST,
# PGPORT, PGDATABASE, PGUSER, PGPASSFILE. Sandi tidak pernah ditulis di baris perintah.
#
# Dengan PGBACKREST_STANZA database dicadangkan oleh pgBackRest sendiri: naskah ini lalu hanya menyalin foto, dan menulis
# umur serta ukuran cadangan pgBackRest yang terakhir. Perlu jq.
set -eu
umask 077

: "${FILES_DIR:?}" "${BACKUP_DIR:?}"
KEEP_DAYS=${KEEP_DAYS:-30}
at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
name=pbb-kita-$(date -u +%Y%m%d-%H%M%S)
doing='Pencadangan tidak dapat dimulai.'

# Berkas status diganti sekaligus: pembacanya tidak pernah melihat yang setengah jadi.
write_status() {
  printf '{"at":"%s","bytes":%s,"ok":%s,"message":"%s"}\n' "$at" "$1" "$2" "$3" >"$FILES_DIR/.status-cadangan.$$"
  mv -f "$FILES_DIR/.status-cadangan.$$" "$FILES_DIR/status-cadangan.json"
}

no_files() {
  doing="Foto dan dokumen tidak ada di FILES_DIR: folder bersama tidak tersambung?"
  exit 1
}

finish() {
  code=$?
  trap - EXIT
  if [ "$code" -ne 0 ]; then
    rm -rf "${BACKUP_DIR:?}/$name.sementara"
    write_status 0 false "$doing Lihat journalctl -u pbb-kita-cadangan."
  fi
  exit "$code"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

doing="Folder cadangan tidak dapat ditulis."
mkdir -p "$BACKUP_DIR/$name.sementara"

outside=0
if [ -n "${PGBACKREST_STANZA:-}" ]; then
  doing="pgBackRest belum mempunyai cadangan yang baik."
  made=$(pgbackrest --stanza="$PGBACKREST_STANZA" --log-level-file=off --output=json info |
    jq -er '.[0].backup[-1] | select(.error | not) | "\(.timestamp.stop | todate) \(.info.repository.size)"')
  at=${made% *}
  outside=${made#* }
else
  doing="pg_dump gagal."
  pg_dump --format=custom --no-password --file="$BACKUP_DIR/$name.sementara/pbb.dump"

  doing="Hasil pg_dump tidak dapat dibaca kembali."
  pg_restore --list "$BACKUP_DIR/$name.sementara/pbb.dump" >/dev/null
fi

# Sesudah database: setiap foto yang disebutnya sudah ada. Yang sudah ada di cadangan sebelumnya tidak memakan tempat dua
# kali, dan yang sudah dihapus di kantor tidak ikut lagi.
doing="Foto dan dokumen tidak dapat disalin."
copy="$BACKUP_DIR/$name.sementara/proofs"
mkdir -p "$copy"
last=$(find "$BACKUP_DIR" -maxdepth 1 -type d -name 'pbb-kita-*[0-9]' | sort | tail -n 1)
# Folder bersama yang tidak tersambung terlihat kosong. id-kantor.txt ada di situ sejak server pertama kali berjalan.
[ -d "$FILES_DIR/proofs" ] || no_files
if [ -n "$last" ]; then
  [ ! -e "$last/proofs/id-kantor.txt" ] || [ -e "$FILES_DIR/proofs/id-kantor.txt" ] || no_files
  cp -al "$last/proofs/." "$copy/"
fi
cp -au --remove-destination "$FILES_DIR/proofs/." "$copy/"
(cd "$copy" && find . -type f) | while IFS= read -r file; do
  [ -e "$FILES_DIR/proofs/$file" ] || rm -f "$copy/$file"
done

doing="Cadangan tidak dapat diselesaikan."
sync -f "$BACKUP_DIR/$name.sementara"
mv "$BACKUP_DIR/$name.sementara" "$BACKUP_DIR/$name"
bytes=$(($(du -sb "$BACKUP_DIR/$name" | cut -f1) + outside))

doing="Cadangan lama tidak dapat dihapus."
find "$BACKUP_DIR" -maxdepth 1 -type d -name 'pbb-kita-*[0-9]' -mtime "+$KEEP_DAYS" -exec rm -rf {} +

write_status "$bytes" true ''
