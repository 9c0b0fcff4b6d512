/** How many bytes the character that begins with this one has; 0 when none begins so. */
export function utf8Length(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The character that these bytes are, one per UTF-16 unit; undefined when they are none, or a control character. */
export function utf8Character(bytes: string): string | undefined {
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  const isOne = text.length === (bytes.length === 4 ? 2 : 1);
  const isReplaced = text.includes('\ufffd') && bytes !== '\u00ef\u00bf\u00bd';
  return isOne && !isReplaced && !/\p{Cc}/u.test(text) ? text : undefined;
}
