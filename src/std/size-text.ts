const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Returns a size such as `3.4 MB`; a kilobyte has 1024 bytes. */
export function sizeText(bytes: number): string {
  let [value, at] = [bytes, 0];
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024;
    at += 1;
  }
  const rounded = at === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${rounded} ${bytes === 1 ? 'byte' : (units[at] ?? '')}`;
}
