/**
 * Returns an ELF executable of 64 bits without its symbol tables and debug information, which Node's binary carries and nobody
 * needs to run it. Works for every architecture, unlike the `strip` of the machine.
 */
export function stripElf(binary: Buffer): Buffer {
  const isElf64 = binary.toString('latin1', 0, 4) === '\u007fELF' && binary[4] === 2 && binary[5] === 1;
  if (!isElf64) throw new Error('This is not an ELF executable of 64 bits, little-endian.');
  const table = Number(binary.readBigUInt64LE(header.sectionTable));
  const size = binary.readUInt16LE(header.sectionSize);
  const count = binary.readUInt16LE(header.sectionCount);
  const sections = Array.from({length: count}, (_, at) => binary.subarray(table + at * size, table + (at + 1) * size));
  const names = sections[binary.readUInt16LE(header.namesIndex)];
  if (names === undefined) throw new Error('The executable has no section names.');
  // Sections that are loaded, and the names of the sections. Removing others must not renumber these.
  const isKept = (section: Buffer) => section === names || section.readUInt32LE(4) === 0 || (section[8] ?? 0) & 2;
  const kept = sections.filter(isKept);
  const loadedEnd = Math.max(...sections.filter((section) => section !== names && isKept(section)).map(fileEnd));
  const nameBytes = binary.subarray(fileStart(names), fileEnd(names));
  const newTable = align8(loadedEnd + nameBytes.length);
  const stripped = Buffer.alloc(newTable + kept.length * size);
  binary.copy(stripped, 0, 0, loadedEnd);
  nameBytes.copy(stripped, loadedEnd);
  for (const [at, section] of kept.entries()) {
    const copy = Buffer.from(section);
    if (section === names) copy.writeBigUInt64LE(BigInt(loadedEnd), 24);
    copy.writeUInt32LE(newIndex(section.readUInt32LE(40)), 40);
    copy.copy(stripped, newTable + at * size);
  }
  stripped.writeBigUInt64LE(BigInt(newTable), header.sectionTable);
  stripped.writeUInt16LE(kept.length, header.sectionCount);
  stripped.writeUInt16LE(kept.indexOf(names), header.namesIndex);
  return stripped;

  /** Returns the new number of a section that another one refers to; 0 means none. */
  function newIndex(index: number): number {
    const section = sections[index];
    return section === undefined ? 0 : Math.max(0, kept.indexOf(section));
  }
}

/** Offsets of fields in the header of an ELF file. */
const header = {sectionTable: 40, sectionSize: 58, sectionCount: 60, namesIndex: 62} as const;

function fileStart(section: Buffer): number {
  return Number(section.readBigUInt64LE(24));
}

function fileEnd(section: Buffer): number {
  const hasNoBytes = section.readUInt32LE(4) === 8;
  return fileStart(section) + (hasNoBytes ? 0 : Number(section.readBigUInt64LE(32)));
}

function align8(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
