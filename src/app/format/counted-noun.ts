/** `1 conversation`, `5 conversations` */
export function numbered(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
