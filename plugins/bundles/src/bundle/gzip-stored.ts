const LARGEST_BLOCK = 65_535;

/**
 * The bytes as an uncompressed gzip file. zlib's output differs between versions and processors, and a bundle must be
 * the same file on every machine. The archives in it are already compressed.
 */
export function gzipStored(bytes: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])];
  for (let start = 0; start === 0 || start < bytes.length; start += LARGEST_BLOCK) {
    const block = bytes.subarray(start, start + LARGEST_BLOCK);
    const head = Buffer.alloc(5);
    head.writeUInt8(start + LARGEST_BLOCK >= bytes.length ? 1 : 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    parts.push(head, block);
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(checksum(bytes));
  tail.writeUInt32LE(bytes.length >>> 0, 4);
  return Buffer.concat([...parts, tail]);
}

/** CRC-32; zlib has it only since Node 20.15. */
function checksum(bytes: Buffer): number {
  const table = Array.from({length: 256}, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
  });
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
