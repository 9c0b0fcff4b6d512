/** Ink goes down a row at a time past rows that stay the same: 47 times three bytes for a key in a composer at the bottom. */
export function foldedMoves(frame: string): string {
  return frame.replaceAll(/(?:\u001b\[E){2,}/g, (moves) => `\u001b[${moves.length / 3}E`);
}
