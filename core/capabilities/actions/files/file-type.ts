/** What a file's first bytes say it is; undefined where no known mark stands. */
export function typeByMagic(head: Buffer): string | undefined {
  const mark = marks.find(([offset, bytes]) => head.subarray(offset, offset + bytes.length).equals(bytes))
  return mark?.[2]
}

const latin = (text: string) => Buffer.from(text, 'latin1')

const marks: readonly (readonly [offset: number, bytes: Buffer, type: string])[] = [
  [0, latin('\x89PNG\r\n\x1a\n'), 'a PNG image'],
  [0, latin('\xff\xd8\xff'), 'a JPEG image'],
  [0, latin('GIF8'), 'a GIF image'],
  [8, latin('WEBP'), 'a WebP image'],
  [0, latin('%PDF-'), 'a PDF document'],
  [0, latin('PK\x03\x04'), 'a ZIP archive (or a docx, xlsx, jar: they are ZIP archives)'],
  [0, latin('PK\x05\x06'), 'an empty ZIP archive'],
  [0, latin('\x1f\x8b'), 'a gzip archive'],
  [0, latin('BZh'), 'a bzip2 archive'],
  [0, latin('\xfd7zXZ\x00'), 'an xz archive'],
  [0, latin('7z\xbc\xaf\x27\x1c'), 'a 7-Zip archive'],
  [0, latin('\x28\xb5\x2f\xfd'), 'a Zstandard archive'],
  [257, latin('ustar'), 'a tar archive'],
  [0, latin('\x7fELF'), 'an ELF program'],
  [0, latin('MZ\x90'), 'a Windows program'],
  [0, latin('\xcf\xfa\xed\xfe'), 'a macOS program'],
  [0, latin('\x00asm'), 'a WebAssembly module'],
  [0, latin('SQLite format 3\x00'), 'an SQLite database'],
  [0, latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'an old Office document'],
  [4, latin('ftyp'), 'an MP4 or HEIF file'],
  [0, latin('ID3'), 'an MP3 file'],
  [0, latin('OggS'), 'an Ogg file'],
  [0, latin('fLaC'), 'a FLAC file'],
  [0, latin('PAR1'), 'a Parquet file'],
]
